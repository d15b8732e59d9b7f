import type { Reader } from '../../database/reads.js';
import { placeholders, type SqlValue } from '../../database/statement.js';
import type { SoundRows } from './sound-rows.js';

/** Whatever a revision says beside its snapshot, which is checked when it is unpacked. */
const COLUMNS = 'record_id, ts, version, action, actor_id, changed, rollback_of, base_ts, codec, checksum';
const PORTION = 2_000;

interface Row {
  readonly record_id: number | string;
  readonly ts: number | string;
}

/** Which revisions of some records can be written down. */
export class SoundRevisions {
  private readonly counts = new Map<number, number>();
  private readonly damaged = new Set<string>();

  private constructor(private readonly sound: SoundRows) {}

  static async of(reader: Reader, recordIds: readonly number[], sound: SoundRows): Promise<SoundRevisions> {
    const revisions = new SoundRevisions(sound);
    if (recordIds.length === 0) return revisions;
    for (let last: Row | undefined; ;) {
      const from = Number(last?.record_id ?? 0);
      const rest = recordIds.filter((id) => id >= from);
      const rows = await portion(reader, rest, last);
      for (const row of rows) revisions.take(row);
      if (rows.length < PORTION) return revisions;
      last = rows.at(-1);
    }
  }

  countOf(recordId: number): number {
    return this.counts.get(recordId) ?? 0;
  }

  has({ recordId, ts }: { readonly recordId: number; readonly ts: number }): boolean {
    return !this.damaged.has(keyOf(recordId, ts));
  }

  private take(row: Row): void {
    const [recordId, ts] = [Number(row.record_id), Number(row.ts)];
    if (this.sound.has('revisions', row)) this.counts.set(recordId, this.countOf(recordId) + 1);
    else this.damaged.add(keyOf(recordId, ts));
  }
}

async function portion(reader: Reader, recordIds: readonly number[], last: Row | undefined): Promise<readonly Row[]> {
  const beyond = last ? ' AND (record_id > ? OR (record_id = ? AND ts > ?))' : '';
  const values: SqlValue[] = last ? [last.record_id, last.record_id, last.ts] : [];
  return reader.select<Row>(
    `SELECT ${COLUMNS} FROM revisions WHERE record_id IN (${placeholders(recordIds)})${beyond}
      ORDER BY record_id, ts LIMIT ${PORTION}`,
    [...recordIds, ...values],
  );
}

function keyOf(recordId: number, ts: number): string {
  return `${recordId} ${ts}`;
}
