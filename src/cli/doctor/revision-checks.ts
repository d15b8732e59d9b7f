import { Reads } from '../../database/statements/reads.js';
import {
  checkHistories,
  checkNewest,
  type DamagedRevision,
  type UnrecordedState,
} from '../../revisions/history/history-check.js';
import type { Check, OpenDatabase } from './check.js';

/** A write that changes nothing makes no revision. */
const ADVICE =
  'Change each of them once, as by a PUT of another title and one of its own again, and its history goes on; one in the trash by restoring it (POST …/restore) and deleting it again.';

/** Whether the history of each record has its present state. What is lost of a history is content, so nothing repairs it. */
export const revisionsCheck: Check<OpenDatabase> = {
  name: 'revisions',
  async look({ source }) {
    const { all, faulty, examples } = await checkNewest(new Reads(source));
    if (faulty === 0) return [{ ok: true, message: `the newest revision of ${all} records is their version` }];
    const message = `The newest revision of ${faulty} records is not their present version${shown(faulty, examples)}. ${ADVICE}`;
    return [message, ...examples.map(unrecordedPlace)].map((one) => ({ ok: false, message: one }));
  },
};

/** Whether every revision still is what was written. */
export const historiesCheck: Check<OpenDatabase> = {
  name: 'histories',
  isDeep: true,
  async look({ source }) {
    const { all, faulty, examples } = await checkHistories(new Reads(source));
    if (faulty === 0) return [{ ok: true, message: `${all} revisions are whole` }];
    const message = `${faulty} of ${all} revisions are damaged${shown(faulty, examples)}. The records themselves are not; a backup has what they were.`;
    return [message, ...examples.map(damagedPlace)].map((one) => ({ ok: false, message: one }));
  },
};

function shown(faulty: number, { length }: readonly unknown[]): string {
  return faulty > length ? ` (the first ${length} are listed below)` : '';
}

function unrecordedPlace({ recordId, type, version, revision, isTrashed }: UnrecordedState): string {
  const place = isTrashed ? ', in the trash' : '';
  return `${type ?? 'record'}/${recordId}: version ${version}, ${revision === null ? 'no revision' : `newest revision ${revision}`}${place}`;
}

function damagedPlace({ recordId, type, ts, reason }: DamagedRevision): string {
  return `${type ?? 'record'}/${recordId}/revisions/${ts}: ${reason}`;
}
