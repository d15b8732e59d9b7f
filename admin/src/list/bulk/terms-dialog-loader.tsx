import { useDialogCode } from '../../common/use-dialog-code.js';
import type { TermsDialogProps } from './terms-dialog.js';

const load = () => import('./terms-dialog.js');

/** The dialog for terms, whose code is loaded when it is opened. */
export function TermsDialogLoader(props: TermsDialogProps) {
  const code = useDialogCode(load, props.onCancel);
  return code && <code.TermsDialog {...props} />;
}
