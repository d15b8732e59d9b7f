import { typeNameOf } from '../content-types/store/type-rows.js';
import type { Reader } from '../database/statements/reads.js';
import { damagedColumn, type CellColumn } from './rows/record-cells.js';

/** A record whose contents are not what was written. */
export interface DamagedContents {
  readonly recordId: number;
  /** Name of its content type; `null`: there is no such record. */
  readonly type: string | null;
  /** `null`: there are no contents. */
  readonly column: CellColumn | null;
}

export interface ContentsReport {
  readonly records: number;
  readonly damaged: number;
  /** The first of them. */
  readonly examples: readonly DamagedContents[];
}

interface Row {
  readonly id: number | string;
  readonly type_id: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly published_at: number | string | null;
  readonly title: string;
  readonly body: string | null;
  readonly data: string | null;
  readonly terms: string | null;
}

/** Contents may have a megabyte each. */
const PORTION = 64;
const MAX_EXAMPLES = 20;

/** Reads the contents of all records, some at a time. */
export async function checkContents(reader: Reader): Promise<ContentsReport> {
  const report = { records: 0, damaged: 0 };
  const examples: DamagedContents[] = [];
  for await (const { id, type_id: typeId, ...row } of allRecords(reader)) {
    report.records += 1;
    const column = damagedColumn(row);
    if (column === undefined && row.data !== null) continue;
    report.damaged += 1;
    if (examples.length >= MAX_EXAMPLES) continue;
    const type = await typeNameOf(reader, Number(typeId));
    examples.push({ recordId: Number(id), type, column: column ?? null });
  }
  return { ...report, examples };
}

async function* allRecords(reader: Reader): AsyncGenerator<Row> {
  for (let last: number | string = 0; ;) {
    const rows: Row[] = await reader.select<Row>(
      `SELECT r.id, r.type_id, r.created_at, r.updated_at, r.published_at, r.title, c.body, c.data, c.terms
         FROM records r
         LEFT JOIN record_contents c ON c.record_id = r.id
        WHERE r.id > ? ORDER BY r.id LIMIT ${PORTION}`,
      [last],
    );
    yield* rows;
    if (rows.length < PORTION) return;
    last = rows.at(-1)?.id ?? 0;
  }
}
