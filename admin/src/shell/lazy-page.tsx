import type { ErrorComponentProps, RouteComponent } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { FailedNotice } from '../common/failed-notice.js';
import { UNREACHABLE } from '../common/failure.js';
import { preload, useLoaded } from '../common/use-loaded.js';
import { words } from '../words.js';

/** A page whose code is loaded when it is gone to. If it cannot be loaded, the page says so, and shows itself once it can. */
export function lazyPage<Code extends object>(load: () => Promise<Code>, name: keyof Code): RouteComponent {
  function LazyPage() {
    const { code, isFailed, retry } = useLoaded(load);
    // The compiler reads no further than the names: pages know the routes, whose types would then follow from themselves.
    const Page = code && (code[name] as ComponentType);
    if (Page) return <Page />;
    return isFailed && <FailedNotice title={words.pageFailed} error={UNREACHABLE} onRetry={() => void again(retry)} />;
  }

  return Object.assign(LazyPage, { preload: () => preload(load) });
}

/** The notice in place of a page that failed. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <FailedNotice title={words.pageFailed} error={error} onRetry={retry} />;
}

/** Loads the whole console anew if the service answers, since a newer version of it has other files. Otherwise, it tries again. */
async function again(retry: () => void): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.ok === true) location.reload();
  else retry();
}
