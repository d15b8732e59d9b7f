import type { Dialect } from '../dialect/dialect.js';
import type { Reader } from '../statements/reads.js';

/** An instance that has not said for so long that it lives is dead. */
export const DEAD_AFTER_MS = 60_000;

/** An instance as its row says. Times are milliseconds since 1970, UTC, by the clock of the database. */
export interface FoundInstance {
  readonly id: string;
  readonly version: string;
  /** The newest migration that it knows. */
  readonly schemaName: string;
  readonly host: string;
  readonly startedAt: number;
  readonly seenAt: number;
  /** Whether it was seen within the last minute. One that is alone on a file is not asked to. */
  readonly isSeen: boolean;
}

interface Row {
  readonly id: string;
  readonly version: string;
  readonly schema_name: string;
  readonly host: string;
  readonly started_at: number | string;
  readonly seen_at: number | string;
  readonly is_seen: number | string;
}

/** All instances that did not say goodbye, the oldest first. */
export async function instancesIn(reader: Reader, dialect: Dialect): Promise<readonly FoundInstance[]> {
  const rows = await reader.select<Row>(
    `SELECT id, version, schema_name, host, started_at, seen_at, seen_at > ${dialect.now} - ${DEAD_AFTER_MS} AS is_seen
       FROM instances ORDER BY started_at, id`,
  );
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    schemaName: row.schema_name,
    host: row.host,
    startedAt: Number(row.started_at),
    seenAt: Number(row.seen_at),
    isSeen: Number(row.is_seen) === 1,
  }));
}
