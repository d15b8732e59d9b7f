import type { ReactNode } from 'react';
import { ValueDiff } from '../editor/merging/value-diff.js';
import listClasses from '../list/list.module.css';
import type { ContentType } from '../model.js';
import { words } from '../words.js';
import { LOOKS, useDiffLook, type Look } from './diff-look.js';
import type { Change } from './history-queries.js';
import classes from './history.module.css';
import { SideDiff } from './side-diff.js';

const t = words.history;
/** Shorter texts of one line are read at a glance. */
const LONG = 200;

interface ChangeListProps {
  readonly type: ContentType;
  readonly changes: readonly Change[];
  readonly before: string;
  readonly after: string;
  /** The action on a change. */
  readonly actionOf?: (change: Change) => ReactNode;
}

/** Differences between two states of a record, part by part. */
export function ChangeList({ type, changes, before, after, actionOf }: ChangeListProps) {
  const { look, choose } = useDiffLook();
  if (changes.length === 0) return <p className={classes.nothing}>{t.equal}</p>;
  return (
    <>
      {choose && changes.some(hasSides) && <LookSwitch look={look} onChoose={choose} />}
      {changes.map((change) => (
        <section
          key={`${change.kind} ${change.field}`}
          className={classes.change}
          data-change
          aria-label={labelOf(type, change.field)}
        >
          <div className={classes.changeHead}>
            <h3 tabIndex={-1}>{labelOf(type, change.field)}</h3>
            {actionOf?.(change)}
          </div>
          {look === 'sides' && hasSides(change) ? (
            <SideDiff before={{ label: before, text: change.from }} after={{ label: after, text: change.to }} />
          ) : (
            <ChangedValue change={change} before={before} after={after} />
          )}
        </section>
      ))}
    </>
  );
}

interface LookSwitchProps {
  readonly look: Look;
  readonly onChoose: (look: Look) => void;
}

/** The switch between two looks of long texts. */
function LookSwitch({ look, onChoose }: LookSwitchProps) {
  return (
    <div className={`${listClasses.tabs} ${classes.look}`} role="group" aria-label={t.look}>
      {LOOKS.map((one) => (
        <button
          key={one}
          type="button"
          className={listClasses.tab}
          aria-pressed={look === one}
          onClick={() => onChoose(one)}
        >
          {t.looks[one]}
        </button>
      ))}
    </div>
  );
}

/** Tells whether both values are texts, and one takes several lines. Beside nothing, a text needs no second column. */
function hasSides(change: Change): change is Change & { readonly from: string; readonly to: string } {
  const texts = [change.from, change.to].filter((value) => typeof value === 'string');
  return (
    texts.length === 2 && !texts.includes('') && texts.some((text) => text.length > LONG || /[\r\n]/.test(text.trim()))
  );
}

interface ChangedValueProps {
  readonly change: Change;
  readonly before: string;
  readonly after: string;
}

/** Both values of a part, texts as their difference. */
export function ChangedValue({ change, before, after }: ChangedValueProps) {
  const [from, to] = [shown(change, change.from), shown(change, change.to)];
  const isText = typeof from === 'string' || typeof to === 'string';
  return (
    <ValueDiff
      before={{ label: before, value: isText ? (from ?? '') : from }}
      after={{ label: after, value: isText ? (to ?? '') : to }}
    />
  );
}

/** Terms by their names. */
function shown({ kind }: Change, value: unknown): unknown {
  if (kind !== 'taxonomy' || !Array.isArray(value)) return value;
  return value.map(({ name }: { readonly name: string }) => name).join(', ');
}

/** The name of a part of a record for people. */
export function labelOf({ fields }: ContentType, field: string): string {
  const builtIn: Readonly<Record<string, string>> = t.parts;
  return fields.find(({ name }) => name === field)?.label ?? builtIn[field] ?? field;
}
