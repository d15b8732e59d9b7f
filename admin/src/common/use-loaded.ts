import { useEffect, useState } from 'react';

/** Milliseconds until code that could not be loaded is asked for again. */
const AGAIN = 3_000;

type Load<Code> = () => Promise<Code>;

/** Code that is there, by what has loaded it. */
const known = new WeakMap<Load<unknown>, unknown>();

/** Code that is loaded when it is needed. */
interface Loaded<Code> {
  /** `null`: it is on its way, or could not be loaded. */
  readonly code: Code | null;
  readonly isFailed: boolean;
  readonly retry: () => void;
}

/** Loads code in advance. What cannot be loaded is loaded when it is needed. */
export async function preload(load: Load<unknown>): Promise<void> {
  await loaded(load).catch(() => undefined);
}

/**
 * Loads code for as long as something shows it, again and again while it cannot be loaded. What was loaded before is there at once.
 *
 * @param load the same at each call
 */
export function useLoaded<Code>(load: Load<Code>): Loaded<Code> {
  const [code, setCode] = useState<Code | null>(() => (known.get(load) as Code | undefined) ?? null);
  const [isFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const retry = () => setTries((n) => n + 1);
  useEffect(() => {
    if (known.has(load)) return undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    loaded(load).then(
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

async function loaded<Code>(load: Load<Code>): Promise<Code> {
  const code = await load();
  known.set(load, code);
  return code;
}
