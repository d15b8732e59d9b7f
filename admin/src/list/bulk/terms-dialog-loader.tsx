import { CmsError } from '@content-service/client';
import { useEffect } from 'react';
import { useFocusBack } from '../../common/use-focus-back.js';
import { useLoaded } from '../../common/use-loaded.js';
import { tellFailure } from '../../common/use-trash.js';
import type { TermsDialogProps } from './terms-dialog.js';

const load = () => import('./terms-dialog.js');

/** The dialog for terms, whose code is loaded when it is opened. If that fails, it says so and closes. */
export function TermsDialogLoader(props: TermsDialogProps) {
  const { code, isFailed } = useLoaded(load);
  const { onCancel } = props;
  useFocusBack();
  useEffect(() => {
    if (!isFailed) return;
    tellFailure(new CmsError({ status: 0, code: 'unreachable', message: '' }));
    onCancel();
    // Once is enough, whatever is to be done afterwards.
  }, [isFailed]);
  return code && <code.TermsDialog {...props} />;
}
