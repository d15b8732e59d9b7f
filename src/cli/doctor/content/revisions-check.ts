import { Reads } from '../../../database/statements/reads.js';
import { checkNewest, type UnrecordedState } from '../../../revisions/history/newest-check.js';
import type { Check, OpenDatabase } from '../check.js';

/** A write that changes nothing makes no revision. */
const ADVICE =
  'Change each of them once, as by a PUT of another title and one of its own again, and its history goes on; one in the trash by restoring it (POST …/restore) and deleting it again.';

/** Whether the history of each record has its present state. What is lost of a history is content, so nothing repairs it. */
export const revisionsCheck: Check<OpenDatabase> = {
  name: 'revisions',
  async look({ source }) {
    const { records, unrecorded, examples, leftOver } = await checkNewest(new Reads(source));
    const seen = examples.map((one) => ({ ok: false, message: placeOf(one) }));
    if (unrecorded > 0) {
      const shown = unrecorded > examples.length ? `, of which the first ${examples.length} are named here` : '';
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

function placeOf({ recordId, type, version, revision, isTrashed }: UnrecordedState): string {
  const place = isTrashed ? ', in the trash' : '';
  return `${type ?? 'record'}/${recordId}: version ${version}, ${revision === null ? 'no revision' : `newest revision ${revision}`}${place}`;
}
