import { typeIds } from '../../content-types/store/type-rows.js';
import { idsBy, type Reader } from '../../database/statements/reads.js';
import { REMOVED } from '../counting/record-counts.js';
import { HAS_STATUS, RECORD_ROWS, recordIdsAfter } from '../rows/record-portions.js';
import { absentTerms } from '../../taxonomy/terms/terms-without-taxonomy.js';
import { TERMS_KEY } from '../rows/field-rows.js';

type TypeRef = Readonly<Record<'type_id', number | string>>;

/** Ids of records whose type is not there, and was not just deleted: those are being removed, as a counter of their own says. */
export async function* recordsWithoutType(reader: Reader): AsyncGenerator<number> {
  const removed = await reader.select<TypeRef>('SELECT type_id FROM record_counts WHERE status = ?', [REMOVED]);
  const known = new Set([...(await typeIds(reader)), ...removed.map(({ type_id: id }) => Number(id))]);
  // An index leads to each type: no database goes through all records for that.
  const used = await reader.select<TypeRef>('SELECT DISTINCT type_id FROM records');
  const lost = used.map(({ type_id: type }) => type).filter((type) => !known.has(Number(type)));
  yield* idsBy(reader, { table: 'records', key: 'id', column: 'type_id', values: lost });
}

type Id = Readonly<Record<'id', number | string>>;

const PORTION = 5_000;

/** Ids of records whose status is none that there is, in their order: a portion of all records is read at a time. */
export async function* recordsOfNoStatus(reader: Reader): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, PORTION);
    const upTo = ids.length < PORTION ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
    const rows = await reader.select<Id>(
      `SELECT r.id FROM ${RECORD_ROWS} WHERE r.id > ? AND r.id <= ? AND NOT (${HAS_STATUS}) ORDER BY r.id`,
      [after, upTo],
    );
    for (const { id } of rows) yield Number(id);
    if (ids.length < PORTION) return;
    after = upTo;
  }
}

/** Ids of records that are gone and have left contents. */
export async function* contentsWithoutRecord(reader: Reader): AsyncGenerator<number> {
  // By keys alone: no text is read.
  const rows = await reader.select<Id>(
    `SELECT c.record_id AS id FROM record_contents c LEFT JOIN records r ON r.id = c.record_id
      WHERE r.id IS NULL ORDER BY c.record_id`,
  );
  for (const { id } of rows) yield Number(id);
}

type Term = Readonly<Record<'term', number | string>>;

const TERMS_PER_STATEMENT = 500;

/**
 * Ids of terms that records hold and that are not there, in their order. Those that were removed or merged are left out:
 * records let go of them by and by. The terms are read in portions, by the index of what is assigned.
 */
export async function* assignmentsWithoutTerm(reader: Reader): AsyncGenerator<number> {
  for (let last = 0; ;) {
    const rows = await reader.select<Term>(
      `SELECT DISTINCT num AS term FROM record_fields WHERE field_id = ? AND num > ? ORDER BY num LIMIT ${TERMS_PER_STATEMENT}`,
      [TERMS_KEY, last],
    );
    const terms = rows.map(({ term }) => Number(term));
    last = terms.at(-1) ?? last;
    if (terms.length > 0) yield* await absentTerms(reader, terms);
    if (terms.length < TERMS_PER_STATEMENT) return;
  }
}
