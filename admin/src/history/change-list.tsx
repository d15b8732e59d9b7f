import type { ContentType } from '../model.js';
import { ValueDiff } from '../editor/merging/value-diff.js';
import { words } from '../words.js';
import type { Change } from './history-queries.js';
import classes from './history.module.css';

const t = words.history;

interface ChangeListProps {
  readonly type: ContentType;
  readonly changes: readonly Change[];
  readonly before: string;
  readonly after: string;
}

/** What differs between two states of a record, part by part. */
export function ChangeList({ type, changes, before, after }: ChangeListProps) {
  if (changes.length === 0) return <p className={classes.nothing}>{t.equal}</p>;
  return changes.map((change) => (
    <section
      key={`${change.kind} ${change.field}`}
      className={classes.change}
      data-change
      aria-label={labelOf(type, change.field)}
    >
      <h3 tabIndex={-1}>{labelOf(type, change.field)}</h3>
      <ChangedValue change={change} before={before} after={after} />
    </section>
  ));
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

/** What people call a part of a record. */
export function labelOf({ fields }: ContentType, field: string): string {
  const builtIn: Readonly<Record<string, string>> = t.parts;
  return fields.find(({ name }) => name === field)?.label ?? builtIn[field] ?? field;
}
