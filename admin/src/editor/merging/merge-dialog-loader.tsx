import { useEffect, useState, type ComponentType } from 'react';
import { UNREACHABLE } from '../../common/failure.js';
import { tellFailure } from '../../common/telling.js';
import type { MergeDialogProps } from './merge-dialog.js';

/** The merge dialog, whose code is loaded when it is opened. Where that fails, it says so and closes. The focus returns to what had it. */
export function MergeDialogLoader(props: MergeDialogProps) {
  const [Dialog, setDialog] = useState<ComponentType<MergeDialogProps> | null>(null);
  const { onCancel } = props;
  useEffect(() => {
    let isLeft = false;
    const before = document.activeElement;
    import('./merge-dialog.js').then(
      ({ MergeDialog }) => isLeft || setDialog(() => MergeDialog),
      () => {
        if (isLeft) return;
        tellFailure(UNREACHABLE);
        onCancel();
      },
    );
    return () => {
      isLeft = true;
      if (before instanceof HTMLElement) before.focus();
    };
    // Once is enough, whatever is to be done afterwards.
  }, []);
  return Dialog && <Dialog {...props} />;
}
