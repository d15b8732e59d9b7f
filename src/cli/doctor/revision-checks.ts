import { Reads } from '../../database/statements/reads.js';
import { checkHistories, type DamagedRevision, type HistoryReport } from '../../revisions/history/history-check.js';
import { checkNewest, type UnrecordedState } from '../../revisions/history/newest-check.js';
import type { Check, OpenDatabase, CheckResult } from './check.js';

/** A write that changes nothing makes no revision. */
const ADVICE =
  'Change each of them once, as by a PUT of another title and one of its own again, and its history goes on; one in the trash by restoring it (POST …/restore) and deleting it again.';

/** Whether the history of each record has its present state. What is lost of a history is content, so nothing repairs it. */
export const revisionsCheck: Check<OpenDatabase> = {
  name: 'revisions',
  async look({ source }) {
    const { records, unrecorded, examples, leftOver } = await checkNewest(new Reads(source));
    const seen = examples.map((one) => ({ ok: false, message: unrecordedPlace(one) }));
    if (unrecorded > 0) {
      const shown = unrecorded > examples.length ? ` (the first ${examples.length} are listed below)` : '';
      const message = `The newest revision of ${unrecorded} records is not their present version${shown}. ${ADVICE}`;
      seen.unshift({ ok: false, message });
    }
    if (leftOver > 0) {
      const message = `Revisions are left of ${leftOver} records that are gone. They are content, so they stay: restore those records from a backup, or delete the revisions by hand.`;
      seen.push({ ok: false, message });
    }
    return seen.length > 0
      ? seen
      : [{ ok: true, message: `the newest revision of ${records} records is their version` }];
  },
};

function unrecordedPlace({ recordId, type, version, revision, isTrashed }: UnrecordedState): string {
  const place = isTrashed ? ', in the trash' : '';
  return `${type ?? 'record'}/${recordId}: version ${version}, ${revision === null ? 'no revision' : `newest revision ${revision}`}${place}`;
}

/** Whether every revision still is what was written. */
export const historiesCheck: Check<OpenDatabase> = {
  name: 'histories',
  isDeep: true,
  async look({ source, dialect }) {
    return historiesSeen(await checkHistories(new Reads(source), dialect));
  },
};

function historiesSeen({ revisions, damaged, examples }: HistoryReport): readonly CheckResult[] {
  if (damaged === 0) return [{ ok: true, message: `${revisions} revisions are whole` }];
  const shown = damaged > examples.length ? ` (the first ${examples.length} are listed below)` : '';
  const message = `${damaged} of ${revisions} revisions are damaged${shown}. The records themselves are not; a backup has what they were.`;
  return [{ ok: false, message }, ...examples.map((one) => ({ ok: false, message: damagedPlace(one) }))];
}

function damagedPlace({ recordId, type, ts, reason }: DamagedRevision): string {
  return `${type ?? 'record'}/${recordId}/revisions/${ts}: ${reason}`;
}
