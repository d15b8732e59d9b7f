import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { PageQuery } from '../../common/http/url-query.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import type { Snapshot } from '../snapshots/snapshot.js';
import { DamagedSnapshotError, unpacked } from '../snapshots/stored-snapshot.js';
import { isInstant } from '../../common/schema/formats.js';

/** A revision without its snapshot. Times are milliseconds since 1970, UTC. */
export interface RevisionRow {
  readonly ts: number;
  readonly version: number;
  readonly action: string;
  readonly title: string;
  readonly status: Status;
  readonly actor_id: number;
  /** JSON: names. */
  readonly changed: string;
  readonly rollback_of: number | null;
  readonly size_bytes: number;
}

/** The revisions of one record, as far as a caller may see them. */
export interface History {
  readonly recordId: number;
  readonly statuses: readonly Status[];
}

export interface HistoryPage {
  readonly rows: readonly RevisionRow[];
  readonly total: number;
  /** `ts` of the newest revision; 0: there is none. */
  readonly newest: number;
  /** For each row the version of the next older revision; 0: there is none. */
  readonly olderVersions: readonly number[];
}

const COLUMNS = 'ts, version, action, title, status, actor_id, changed, rollback_of, size_bytes';

/** Reads the history of records. */
@Injectable()
export class RevisionReader {
  constructor(private readonly reads: Reads) {}

  /** The newest first. */
  async page(history: History, { page, perPage }: PageQuery): Promise<HistoryPage> {
    const { where, values } = within(history);
    const before = (page - 1) * perPage;
    const [[summary], found] = await Promise.all([
      this.reads.select<{ n: number | string; newest: number | string | null }>(
        `SELECT COUNT(*) AS n, MAX(ts) AS newest FROM revisions WHERE ${where}`,
        values,
      ),
      this.rows(history, `ORDER BY ts DESC LIMIT ${perPage + 1} OFFSET ${before}`),
    ]);
    const rows = found.slice(0, perPage);
    const olderVersions = rows.map((_, at) => found[at + 1]?.version ?? 0);
    // The summary and the rows are of two moments: neither says less than what the page itself shows.
    const seen = found.length === 0 ? 0 : before + found.length;
    const total = Math.max(Number(summary?.n ?? 0), seen);
    const newest = Math.max(Number(summary?.newest ?? 0), found[0]?.ts ?? 0);
    return { rows, total, newest, olderVersions };
  }

  /** The revision that a path names. @throws {DomainError} `revision_not_found`, `ambiguous_revision` */
  async require(history: History, text: string): Promise<RevisionRow> {
    const instant = instantOf(text);
    const rows = instant === null ? [] : await this.at(history, instant);
    const [row] = rows;
    if (!row) throw new DomainError('revision_not_found', `The record has no revision ${text}.`);
    if (rows.length === 1) return row;
    const choice = rows.map(({ ts }) => ts);
    throw new DomainError('ambiguous_revision', `Several revisions lie in the second ${text}: ${choice.join(', ')}.`, {
      details: choice.map((ts) => ({ ts })),
    });
  }

  async newest(history: History): Promise<RevisionRow | null> {
    const [row] = await this.rows(history, 'ORDER BY ts DESC LIMIT 1');
    return row ?? null;
  }

  async before(history: History, ts: number): Promise<RevisionRow | null> {
    const [row] = await this.rows(history, 'AND ts < ? ORDER BY ts DESC LIMIT 1', [ts]);
    return row ?? null;
  }

  /** @throws {DomainError} `revision_not_found`: it has been dropped meanwhile; `revision_damaged` */
  async snapshot({ recordId }: Pick<History, 'recordId'>, ts: number): Promise<Snapshot> {
    const [row] = await this.reads.select<{ snapshot: Buffer }>(
      'SELECT snapshot FROM revisions WHERE record_id = ? AND ts = ?',
      [recordId, ts],
    );
    if (!row) throw new DomainError('revision_not_found', `The record has no revision ${ts}.`);
    return unpacked(row.snapshot).catch((error: unknown) => {
      if (!(error instanceof DamagedSnapshotError)) throw error;
      const message = `Revision ${ts} of record ${recordId} is damaged in the database, so what the record was then cannot be told. Use another revision, or a backup.`;
      throw new DomainError('revision_damaged', message, { cause: error });
    });
  }

  private at(history: History, { from, to }: Instant): Promise<RevisionRow[]> {
    return this.rows(history, 'AND ts >= ? AND ts <= ? ORDER BY ts', [from, to]);
  }

  private rows(history: History, rest: string, more: readonly SqlValue[] = []): Promise<RevisionRow[]> {
    const { where, values } = within(history);
    const sql = `SELECT ${COLUMNS} FROM revisions WHERE ${where} ${rest}`;
    return this.reads.select<RevisionRow>(sql, [...values, ...more]);
  }
}

function within({ recordId, statuses }: History): { where: string; values: SqlValue[] } {
  return { where: `record_id = ? AND status IN (${placeholders(statuses)})`, values: [recordId, ...statuses] };
}

/**
 * The names that a revision keeps of what its write has changed; `null`: it is no list of names.
 *
 * @param json the column `changed`
 */
export function changedIn(json: string): readonly string[] | null {
  try {
    const names: unknown = JSON.parse(json);
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : null;
  } catch {
    return null;
  }
}

/** The milliseconds since 1970 (UTC) that a revision may have, first and last. */
interface Instant {
  readonly from: number;
  readonly to: number;
}

const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{1,16}$/;

/**
 * Reads the name of a revision in a path: `1767225600123`, `2026-01-01T00:00:00.123Z`, or `1767225600` for its second.
 * `null` for what no revision can be called.
 */
function instantOf(text: string): Instant | null {
  if (SECONDS.test(text)) return { from: Number(text) * 1_000, to: Number(text) * 1_000 + 999 };
  const ts = MILLISECONDS.test(text) ? Number(text) : isInstant(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isSafeInteger(ts) ? { from: ts, to: ts } : null;
}
