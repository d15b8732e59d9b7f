import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { isPassing } from './common/failure.js';
import { isAtHome, place } from './place.js';
import { makeRouter } from './router.js';
import { Elsewhere } from './shell/elsewhere.js';
import { theme, variables } from './theme/theme.js';

const RETRIES = 2;
/** Milliseconds until a page that could not be loaded asks again, as long as it shows the failure. */
const AGAIN = 5_000;

/** The whole console. */
export function App() {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 10_000,
            retry: (tries, error) => tries < RETRIES && isPassing(error),
            refetchInterval: ({ state }) => state.status === 'error' && isPassing(state.error) && AGAIN,
          },
        },
      }),
  );
  const [router] = useState(() => makeRouter(queries));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => place.nonce}
    >
      <QueryClientProvider client={queries}>
        {isAtHome() ? <RouterProvider router={router} /> : <Elsewhere />}
        <Notifications position="bottom-right" autoClose={6_000} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
