import type { Reader } from '../../database/statements/reads.js';

type Id = Readonly<Record<'id', number | string>>;

/** Ids of records that are gone and have left contents. */
export async function* contentsWithoutRecord(reader: Reader): AsyncGenerator<number> {
  // By keys alone: no text is read.
  const rows = await reader.select<Id>(
    `SELECT c.record_id AS id FROM record_contents c LEFT JOIN records r ON r.id = c.record_id
      WHERE r.id IS NULL ORDER BY c.record_id`,
  );
  for (const { id } of rows) yield Number(id);
}
