import { useEffect, useState } from 'react';

/** Gives the focus back to what had it, as soon as what is shown above it is closed. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
