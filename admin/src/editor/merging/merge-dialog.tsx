import { ActionIcon, Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../common/icons.js';
import { words } from '../../words.js';
import { goToChange, openMerge } from './merge-view.js';
import classes from './merging.module.css';
import { mergeTexts } from './three-way.js';

const t = words.editor.merging.dialog;

export interface MergeDialogProps {
  /** Name of the field. */
  readonly label: string;
  readonly kind: 'markdown' | 'html' | 'text';
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** Takes the text that is to be used. */
  readonly onDone: (text: string) => void;
  /** The text was edited. */
  readonly onText: (text: string) => void;
  /** The dialog is to be closed; both texts are as they were. */
  readonly onCancel: () => void;
}

/** Theirs beside a text with the changes of both, which can be edited. */
export function MergeDialog({ label, kind, base, mine, theirs, onText, onDone, onCancel }: MergeDialogProps) {
  const isNarrow = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false });
  const merged = useMemo(() => mergeTexts({ base, mine, theirs }), [base, mine, theirs]);
  const [isAsked, setAsked] = useState(false);
  const text = useRef(merged.text);
  const view = useRef<EditorView>(null);
  const cancel = () => (text.current === merged.text ? onCancel() : setAsked(true));
  const go = (isBack: boolean) => view.current && goToChange(view.current, isBack);

  return (
    <Modal
      opened
      onClose={cancel}
      title={t.title(label)}
      size={1200}
      fullScreen={isNarrow}
      closeOnClickOutside={false}
      // It would add a style that the policy of the page refuses.
      lockScroll={false}
      closeButtonProps={{ 'aria-label': words.close }}
      classNames={{ content: classes.dialog, body: classes.dialogBody, title: classes.dialogTitle }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'F7') return;
        event.preventDefault();
        go(event.shiftKey);
      }}
    >
      <div className={classes.check}>
        <p role="status">{t.toCheck(merged.conflicts)}</p>
        <Steps onStep={go} />
      </div>
      <MergeEditor {...{ kind, theirs, text, view, onText }} isUnified={isNarrow} />
      <div className={classes.foot}>
        {isAsked ? (
          <Asking onLeave={onCancel} onStay={() => setAsked(false)} />
        ) : (
          <>
            <Button variant="default" onClick={cancel}>
              {words.cancel}
            </Button>
            <Button onClick={() => onDone(text.current)}>{t.use}</Button>
          </>
        )}
      </div>
    </Modal>
  );
}

function Steps({ onStep }: { readonly onStep: (isBack: boolean) => void }) {
  return (
    <div className={classes.steps}>
      <ActionIcon variant="default" size={32} aria-label={t.previous} title={t.previous} onClick={() => onStep(true)}>
        <Icon name="up" />
      </ActionIcon>
      <ActionIcon variant="default" size={32} aria-label={t.next} title={t.next} onClick={() => onStep(false)}>
        <Icon name="down" />
      </ActionIcon>
    </div>
  );
}

function Asking({ onLeave, onStay }: { readonly onLeave: () => void; readonly onStay: () => void }) {
  return (
    <>
      <p role="alert">{t.edited}</p>
      <Button variant="default" onClick={onLeave}>
        {t.leave}
      </Button>
      <Button autoFocus onClick={onStay}>
        {t.stay}
      </Button>
    </>
  );
}

interface MergeEditorProps {
  readonly kind: MergeDialogProps['kind'];
  readonly theirs: string;
  readonly isUnified: boolean;
  /** The result as it is edited. */
  readonly text: { current: string };
  readonly view: { current: EditorView | null };
  readonly onText: (text: string) => void;
}

function MergeEditor({ kind, theirs, isUnified, text, view, onText }: MergeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const onChange = useRef(onText);
  onChange.current = onText;
  useEffect(() => {
    if (!place.current) return undefined;
    const merging = openMerge({
      parent: place.current,
      kind,
      theirs,
      result: text.current,
      isUnified,
      onChange: (next) => {
        text.current = next;
        onChange.current(next);
      },
    });
    view.current = merging.view;
    goToChange(merging.view, false);
    return () => merging.destroy();
  }, [kind, theirs, isUnified, text, view]);

  return (
    <div className={classes.merge}>
      <div className={classes.heads} data-unified={isUnified}>
        {!isUnified && <h3>{words.editor.merging.theirs}</h3>}
        <h3>{isUnified ? t.unified : t.result}</h3>
      </div>
      <div ref={place} className={classes.mergePlace} />
    </div>
  );
}
