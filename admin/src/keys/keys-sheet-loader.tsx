import { useDialogCode } from '../common/use-dialog-code.js';

const load = () => import('./keys-sheet.js');

/** The sheet of keys, whose code is loaded when it is opened. */
export function KeysSheetLoader({ onClose }: { readonly onClose: () => void }) {
  const code = useDialogCode(load, onClose);
  return code && <code.KeysSheet onClose={onClose} />;
}
