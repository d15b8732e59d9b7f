import { useEffect, useState } from 'react';

/** Milliseconds until code that could not be loaded is asked for again. */
const AGAIN = 3_000;

/** Code that is loaded when it is needed. */
interface Loaded<Code> {
  /** `null`: it is on its way, or could not be loaded. */
  readonly code: Code | null;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/** Loads code for as long as something shows it, again and again while it cannot be loaded. @param load the same at each call */
export function useLoaded<Code>(load: () => Promise<Code>): Loaded<Code> {
  const [code, setCode] = useState<Code | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const retry = () => setTries((n) => n + 1);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (found) => isLeft || setCode(() => found),
      () => {
        if (isLeft) return;
        setFailed(true);
        timer = setTimeout(retry, AGAIN);
      },
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [load, tries]);
  return { code, isFailed, retry };
}
