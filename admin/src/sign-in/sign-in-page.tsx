import { Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { Icon } from '../common/icons.js';
import { place } from '../place.js';
import { methodsQuery } from '../queries.js';
import { session } from '../service.js';
import { SchemeToggle } from '../shell/scheme-toggle.js';
import { words } from '../words.js';
import { FailedAttempt, type Prove } from './attempt.js';
import { CodeForm } from './code-form.js';
import { exchangeProof } from './provider-flow.js';
import { returnFailure, signInFailure } from './sign-in-failure.js';
import classes from './sign-in.module.css';
import { WaysForm } from './ways-form.js';

/** The door of the console. */
export function SignInPage() {
  const { error, isProving, prove } = useSignIn();
  const methods = useQuery(methodsQuery);
  const [mailed, setMailed] = useState<string | null>(null);

  if (isProving) {
    return (
      <Door>
        <p className={classes.waiting} role="status">
          <Loader size="sm" /> {words.signIn.wait}
        </p>
      </Door>
    );
  }
  if (methods.isError) {
    return <FailedNotice title={words.editor.failed} error={methods.error} onRetry={() => void methods.refetch()} />;
  }
  return (
    <Door>
      {mailed === null && <FailedAttempt failure={error} />}
      {methods.data &&
        (mailed === null ? (
          <WaysForm methods={methods.data} prove={prove} onMailed={setMailed} />
        ) : (
          <CodeForm methods={methods.data} email={mailed} prove={prove} onBack={() => setMailed(null)} />
        ))}
    </Door>
  );
}

function Door({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.scheme}>
        <SchemeToggle />
      </div>
      <main className={classes.card}>
        <div className={classes.brand}>
          <span className={classes.logo}>
            <Icon name="pen" size={22} />
          </span>
          <h1 className={classes.title}>{words.signIn.title(place.service)}</h1>
        </div>
        {children}
      </main>
    </div>
  );
}

/** Proves, and goes on to where the sign-in was asked for. What a link or a provider has led back with is used at once. */
function useSignIn() {
  const { to, code, error: returned } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const once = useRef(onceToken());
  const [error, setError] = useState(returned === undefined ? null : returnFailure(returned));
  const [isProving, setProving] = useState(code !== undefined || once.current !== null);

  const prove: Prove = (...proof) => session.signIn(...proof);

  // Here, or in another tab.
  useEffect(
    () =>
      session.listen((event) => {
        if (event !== 'opened') return;
        queries.clear();
        void navigate({ to: to ?? '/', replace: true });
      }),
    [navigate, queries, to],
  );

  // A link that is opened while this page is shown changes nothing but the end of the address.
  useEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener('hashchange', reload);
    return () => window.removeEventListener('hashchange', reload);
  }, []);

  useEffect(() => {
    const token = once.current;
    if (code === undefined && token === null) return;
    once.current = null;
    window.history.replaceState(null, '', `${place.path}login`);
    const proving = token === null ? prove('exchange', exchangeProof(code ?? '')) : prove('link', { token });
    proving.catch((reason: unknown) => {
      setError(signInFailure(reason));
      setProving(false);
    });
    // Once, with what the page was opened with.
  }, []);

  return { error, isProving, prove };
}

/** The token behind `#once=`, which no log has. `null`: there is none. */
function onceToken(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('once');
}
