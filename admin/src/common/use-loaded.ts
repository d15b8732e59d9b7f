import { useEffect, useState } from 'react';

/** Code that is loaded when it is needed. */
interface Loaded<Code> {
  /** `null`: it is on its way, or could not be loaded. */
  readonly code: Code | null;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/** Loads code for as long as something shows it. @param load the same at each call */
export function useLoaded<Code>(load: () => Promise<Code>): Loaded<Code> {
  const [code, setCode] = useState<Code | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setFailed(false);
    load().then(
      (found) => isLeft || setCode(() => found),
      () => isLeft || setFailed(true),
    );
    return () => {
      isLeft = true;
    };
  }, [load, tries]);
  return { code, isFailed, retry: () => setTries((n) => n + 1) };
}
