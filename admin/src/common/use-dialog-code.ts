import { useEffect, useLayoutEffect } from 'react';
import { UNREACHABLE } from './failure.js';
import { useFocusBack } from './use-focus-back.js';
import { useLoaded } from './use-loaded.js';
import { tellFailure } from './telling.js';

/** Loads the code of a dialog when it is opened. If that fails, it says so and closes. The focus returns to what had it. */
export function useDialogCode<Code>(load: () => Promise<Code>, onClose: () => void): Code | null {
  const { code, isFailed } = useLoaded(load);
  useFocusBack();
  // What is typed until the dialog is there is not meant for what has the focus now.
  useLayoutEffect(() => {
    if (!code && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, []);
  useEffect(() => {
    if (!isFailed) return;
    tellFailure(UNREACHABLE);
    onClose();
    // Once is enough, whatever is to be done afterwards.
  }, [isFailed]);
  return code;
}
