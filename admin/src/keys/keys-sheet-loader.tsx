import { useEffect } from 'react';
import { useFocusBack } from '../common/use-focus-back.js';
import { useLoaded } from '../common/use-loaded.js';

const load = () => import('./keys-sheet.js');

/** The sheet of keys, whose code is loaded when it is opened. The focus returns to what had it. */
export function KeysSheetLoader({ onClose }: { readonly onClose: () => void }) {
  const { code, isFailed } = useLoaded(load);
  useFocusBack();
  useEffect(() => {
    if (isFailed) onClose();
  }, [isFailed, onClose]);
  return code && <code.KeysSheet onClose={onClose} />;
}
