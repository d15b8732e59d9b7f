import { Icon, type IconName } from '../../common/icons.js';
import { sentenceOf } from '../../common/failure.js';
import { words } from '../../words.js';
import { NoTitleError, type EditingView } from './editing.js';
import classes from '../editor.module.css';
import type { SaveState } from './save-queue.js';

const t = words.editor;
const ICONS: Readonly<Record<SaveState, IconName>> = {
  clean: 'check',
  waiting: 'cloud',
  saving: 'cloud',
  refused: 'alert',
  offline: 'alert',
  conflict: 'alert',
  failed: 'alert',
};

interface SaveStateTextProps {
  readonly view: EditingView;
  readonly isReadOnly: boolean;
}

/** Where what was typed is, in words: failing is never silent. */
export function SaveStateText({ view, isReadOnly }: SaveStateTextProps) {
  const { state, error } = view;
  const isBad = ICONS[state] === 'alert' && !(error instanceof NoTitleError);
  return (
    <span className={classes.saved} role="status" data-bad={isBad} title={isReadOnly ? undefined : t.keys.save}>
      {!isReadOnly && view.opened && <Icon name={ICONS[state]} size={16} />}
      {isReadOnly ? t.readOnly : textOf(view)}
    </span>
  );
}

function textOf({ state, error, opened }: EditingView): string {
  if (error instanceof NoTitleError || (!opened && state === 'clean')) return t.noTitle;
  if (state === 'failed') return `${t.states.failed}: ${sentenceOf(error)}`;
  const isHeld = opened?.draft && opened.record.status !== 'draft';
  if (state === 'clean' && isHeld) return t.states.held;
  return t.states[state];
}
