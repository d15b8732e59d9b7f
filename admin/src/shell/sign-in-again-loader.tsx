import { useEffect, useState, type ComponentType } from 'react';

/** Milliseconds until the code is asked for again. */
const AGAIN = 3_000;

/** The dialog that opens a session again, whose code is loaded when one has ended. The focus returns to what had it. */
export function SignInAgainLoader() {
  const [Dialog, setDialog] = useState<ComponentType | null>(null);
  useEffect(() => {
    const before = document.activeElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const load = () =>
      void import('../sign-in/sign-in-again.js').then(
        ({ SignInAgain }) => isLeft || setDialog(() => SignInAgain),
        () => {
          if (!isLeft) timer = setTimeout(load, AGAIN);
        },
      );
    load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return Dialog && <Dialog />;
}
