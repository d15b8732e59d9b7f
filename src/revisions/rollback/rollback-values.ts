import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import type { RecordState } from '../../records/writing/record-state.js';
import type { RollbackSelection } from './rollback-selection.js';
import type { Snapshot, SnapshotField } from '../snapshots/snapshot.js';

/** A body that is still being put together. */
export type Body = Record<string, unknown>;

/** A part of an old state that could not be brought back. */
export interface RollbackNotes {
  /** The reason why the present value stays in the place of the old one. */
  readonly kept: {
    readonly field: string;
    readonly reason: 'slug_taken' | 'value_taken' | 'no_longer_valid' | 'required' | 'did_not_exist';
  }[];
  /** The reason why something old has no place any more. */
  readonly skipped: {
    readonly field: string;
    readonly reason: 'field_removed' | 'taxonomy_removed' | 'target_gone' | 'term_gone';
    readonly value?: unknown;
  }[];
}

/** An old state, and what it is to be brought into. */
export interface Rollback {
  readonly type: CompiledType;
  readonly present: RecordState;
  readonly snapshot: Snapshot;
  readonly selection: RollbackSelection;
  readonly notes: RollbackNotes;
  /** True if the record is public then: what is required of it must be there. */
  readonly isPublic: boolean;
}

/**
 * The fields to set so that values are again what they were. A value that is the same already is left out.
 * Fields are found by their id, whatever they are called now.
 *
 * @throws {ValidationError} for every field that is required of what is public, and that neither state nor type have a
 *   value for
 */
export function oldValues(rollback: Rollback): Body {
  const { type, snapshot, selection } = rollback;
  const old = new Map(snapshot.fields.map((field) => [field.id, field]));
  const body: Body = {};
  const faults: Fault[] = type.fields
    .filter((field) => selection.hasField(field))
    .flatMap((field) => setOld(rollback, field, old.get(field.id), body));
  if (faults.length > 0) throw new ValidationError(faults);
  noteRemoved(rollback);
  return body;
}

/** The old title and body, and the status where it was asked for. The slug is another matter: it may be taken. */
export function oldContent(
  { present, snapshot, selection }: Rollback,
  { includesStatus }: { readonly includesStatus: boolean },
): Body {
  const body: Body = {};
  if (selection.hasContent('title') && snapshot.title !== present.title) body.title = snapshot.title;
  if (selection.hasContent('body') && snapshot.body !== present.body) body.body = snapshot.body;
  return includesStatus ? { ...body, ...oldStatus(present, snapshot) } : body;
}

/** The body without the values that do not fit any more; these stay as they are. */
export function fitting({ type, notes, present }: Rollback, body: Body): RecordBody {
  for (;;) {
    try {
      return type.requireUpdate(body, { status: present.status });
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const names = new Set(error.faults.map(({ field }) => field.split('.')[0] ?? ''));
      const misfits = [...names].filter((name) => Object.hasOwn(body, name));
      if (misfits.length === 0) throw error;
      for (const field of misfits) notes.kept.push({ field, reason: 'no_longer_valid' });
      body = without(body, misfits);
    }
  }
}

export function without(body: RecordBody, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** @returns what is wrong with that */
function setOld(rollback: Rollback, field: Field, old: SnapshotField | undefined, body: Body): Fault[] {
  const now = rollback.present.values[field.id] ?? null;
  const value = old ? old.value : null;
  if (value === null && now === null) return isRequired(rollback, field) ? giveDefault(field, body) : [];
  if (value === null) leaveOrClear(rollback, field, old, body);
  else if (!isSameJson(value, now)) body[field.name] = value;
  return [];
}

/** A field that has to have a value by now has none in either state. */
function giveDefault({ name, default: value }: Field, body: Body): Fault[] {
  if (value === undefined)
    return [{ field: name, rule: 'required', message: `${name} is required. Give it a value first.` }];
  body[name] = value;
  return [];
}

/** There was no value then: one that has to be there stays, and so does one of a field that is younger than the state. */
function leaveOrClear(rollback: Rollback, field: Field, old: SnapshotField | undefined, body: Body): void {
  if (old && !isRequired(rollback, field)) body[field.name] = null;
  else rollback.notes.kept.push({ field: field.name, reason: old ? 'required' : 'did_not_exist' });
}

function isRequired({ isPublic }: Rollback, { required }: Field): boolean {
  return required && isPublic;
}

/** The time goes with the status: publishing again would set another one. */
function oldStatus(present: RecordState, { status, published_at: publishedAt }: Snapshot): Body {
  if (status === present.status && publishedAt === present.publishedAt) return {};
  if (status === 'draft' || publishedAt === null) return { status };
  return { status, published_at: new Date(publishedAt).toISOString() };
}

function noteRemoved({ type, snapshot, selection, notes }: Rollback): void {
  const present = new Set(type.fields.map(({ id }) => id));
  for (const { id, name, value } of snapshot.fields) {
    if (name === null || value === null || present.has(id) || !selection.hasField({ id, name })) continue;
    notes.skipped.push({ field: name, reason: 'field_removed' });
  }
}
