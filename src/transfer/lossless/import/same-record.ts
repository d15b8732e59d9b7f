import type { RecordCopy } from '../../../records/record-copies.js';
import type { Instant } from '../../../records/record-history.port.js';
import type { RecordRow } from '../../../records/rows/record-row.js';
import { isSame } from '../../../records/writing/record-state.js';

/** What is to become of a record of the file, and why. */
export interface Decision {
  readonly result: 'created' | 'updated' | 'unchanged' | 'refused';
  /** Why it is refused, or what is other than the file says. */
  readonly message: string | null;
}

const NEWER_HERE = 'The record was changed here since, so it stays as it is.';

/** The record that has the id here. */
interface Here {
  readonly row: RecordRow;
  readonly instants: readonly Instant[];
  /** Of the type that the copy has. */
  readonly typeId: number;
}

/**
 * A record is the same one when id, type and time of creation are equal, and one of the two histories goes on where the
 * other one ends. Whichever is the longer one stays, so nothing that was written is lost on either side.
 */
export function decided(copy: RecordCopy, instants: readonly Instant[], here: Here | undefined): Decision {
  if (!here) return { result: 'created', message: null };
  const { row } = here;
  if (row.type_id !== here.typeId || row.created_at !== copy.created.at) return idTaken(copy);
  return isEqual(copy, row) ? { result: 'unchanged', message: null } : byHistory(copy, instants, here);
}

function byHistory(copy: RecordCopy, instants: readonly Instant[], here: Here): Decision {
  const { row } = here;
  const there = [...instants, { ts: copy.updated.at, version: copy.version }];
  const own = [...here.instants, { ts: row.updated_at, version: row.version }];
  if (copy.version > row.version && goesOn(there, here.instants, own)) return { result: 'updated', message: null };
  if (row.version > copy.version && goesOn(own, instants, there)) return { result: 'unchanged', message: NEWER_HERE };
  const isSlugEqual = (row.slug ?? row.trashed_slug) === copy.state.slug;
  return isSlugEqual || own.some((one) => has(there, one)) ? diverged(copy) : idTaken(copy);
}

function isEqual({ state, version, updated, trashedAt }: RecordCopy, row: RecordRow): boolean {
  return row.version === version && row.updated_at === updated.at && row.trashed_at === trashedAt && isSame(row, state);
}

/** Whether the longer one has the last write of the shorter one. Going into the trash is a write without a revision. */
function goesOn(longer: readonly Instant[], revisions: readonly Instant[], shorter: readonly Instant[]): boolean {
  const last = shorter.at(-1);
  const lastRevision = revisions.at(-1);
  return (last !== undefined && has(longer, last)) || (lastRevision !== undefined && has(longer, lastRevision));
}

function has(instants: readonly Instant[], { ts, version }: Instant): boolean {
  return instants.some((one) => one.ts === ts && one.version === version);
}

function idTaken({ id }: RecordCopy): Decision {
  return { result: 'refused', message: `id_taken: another record has the id ${id} here.` };
}

function diverged({ id }: RecordCopy): Decision {
  return {
    result: 'refused',
    message: `diverged: the record ${id} was changed here in another way than in the file. Delete one of the two changes.`,
  };
}
