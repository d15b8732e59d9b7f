import { useEffect, useState } from 'react';
import { useLoaded } from '../common/use-loaded.js';

const load = () => import('./keys-sheet.js');

/** The sheet of keys, whose code is loaded when it is opened. The focus returns to what had it. */
export function KeysSheetLoader({ onClose }: { readonly onClose: () => void }) {
  const { code, isFailed } = useLoaded(load);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (isFailed) onClose();
  }, [isFailed, onClose]);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
  return code && <code.KeysSheet onClose={onClose} />;
}
