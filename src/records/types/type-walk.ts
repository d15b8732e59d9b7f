import type { Position, StoredValues } from '../../content-types/store/type-usage.port.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import { isSound } from '../rows/record-cells.js';
import { termsOf, valuesOf } from '../rows/record-row.js';

const BATCH = 250;
/** Reading and checking so much takes the process some milliseconds. */
const BATCH_BYTES = 128 * 1_024;

interface PositionRow {
  readonly id: number | string;
  readonly created_at: number | string;
  readonly trashed_at: number | string;
  readonly size: number | string;
}

interface ContentRow extends Omit<PositionRow, 'size'> {
  readonly data: string;
  readonly terms: string | null;
}

interface Step {
  readonly condition: string;
  readonly values: readonly number[];
}

/**
 * The records of a type in the order of an index, some at a time, cut by rows and by bytes. Where there are records of
 * other types in between, or many of one moment, a batch costs no more than its own rows.
 *
 * @param lock ends the statement, where others must not write these records
 */
export async function nextPositions(
  reader: Reader,
  { orderedJoin }: Dialect,
  typeId: number,
  after: Position | null,
  lock = '',
): Promise<Position[]> {
  for (const { condition, values } of stepsAfter(after)) {
    const rows = await reader.select<PositionRow>(
      `SELECT r.id, r.created_at, r.trashed_at, OCTET_LENGTH(c.data) AS size
         FROM records r ${orderedJoin} record_contents c ON c.record_id = r.id
        WHERE r.type_id = ? AND ${condition}
        ORDER BY r.trashed_at, r.created_at, r.id LIMIT ${BATCH}${lock}`,
      [typeId, ...values],
    );
    if (rows.length > 0) return withinBytes(rows).map(positionOf);
  }
  return [];
}

/** The contents of some records, without the ones that are gone or damaged. */
export async function valuesOfRecords(reader: Reader, ids: readonly SqlValue[]): Promise<StoredValues[]> {
  if (ids.length === 0) return [];
  const rows = await reader.select<ContentRow>(
    `SELECT r.id, r.created_at, r.trashed_at, c.data, c.terms
       FROM records r JOIN record_contents c ON c.record_id = r.id
      WHERE r.id IN (${placeholders(ids)})`,
    ids,
  );
  return rows.filter(isSound).map((row) => ({
    id: Number(row.id),
    createdAt: Number(row.created_at),
    isTrashed: Number(row.trashed_at) > 0,
    values: valuesOf(row),
    terms: termsOf(row),
  }));
}

/** Written out: no database seeks by `(a, b, c) > (?, ?, ?)` to the last column. */
function stepsAfter(position: Position | null): Step[] {
  if (!position) return [{ condition: 'r.trashed_at >= ?', values: [0] }];
  const { trashedAt, createdAt, id } = position;
  return [
    { condition: 'r.trashed_at = ? AND r.created_at = ? AND r.id > ?', values: [trashedAt, createdAt, id] },
    { condition: 'r.trashed_at = ? AND r.created_at > ?', values: [trashedAt, createdAt] },
    { condition: 'r.trashed_at > ?', values: [trashedAt] },
  ];
}

/** The first rows, one at least. */
function withinBytes(rows: readonly PositionRow[]): readonly PositionRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }) => (bytes += Number(size)) > BATCH_BYTES);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

function positionOf(row: PositionRow): Position {
  return { id: Number(row.id), createdAt: Number(row.created_at), trashedAt: Number(row.trashed_at) };
}
