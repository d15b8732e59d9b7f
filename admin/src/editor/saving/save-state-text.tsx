import { Icon, type IconName } from '../../common/icons.js';
import { sentenceOf } from '../../common/failure.js';
import { words } from '../../words.js';
import { NoTitleError } from './copy-writer.js';
import type { EditingView } from './editing-view.js';
import classes from '../editor.module.css';
import type { SaveState } from './save-queue.js';

const t = words.editor;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const ICONS: Readonly<Record<SaveState, IconName>> = {
  clean: 'check',
  waiting: 'cloud',
  saving: 'cloud',
  refused: 'alert',
  offline: 'alert',
  conflict: 'alert',
  signedOut: 'alert',
  failed: 'alert',
};

interface SaveStateTextProps {
  readonly view: EditingView;
  readonly isReadOnly: boolean;
}

/** The place of the typed values, in words: failing is never silent. */
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

function textOf(view: EditingView): string {
  const { state, error, opened, isKept } = view;
  if (error instanceof NoTitleError || (!opened && state === 'clean')) return t.noTitle;
  if (state === 'failed') return `${t.states.failed}: ${sentenceOf(error)}`;
  if (state === 'offline') return t.states.offline(navigator.onLine, isKept);
  return state === 'clean' ? savedText(view) : t.states[state];
}

function savedText({ opened, savedAt }: EditingView): string {
  const isHeld = opened?.draft && opened.record.status !== 'draft';
  const sentence = isHeld ? t.states.held : t.states.clean;
  return savedAt === null ? sentence : `${sentence} · ${clock.format(savedAt)}`;
}
