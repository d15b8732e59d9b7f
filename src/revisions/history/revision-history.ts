import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import { unsafeValues } from '../../common/schema/unsafe-values.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, select, type SqlValue } from '../../database/statements/statement.js';
import {
  RecordHistoryHost,
  type HistoryDraft,
  type Instant,
  type NewIds,
  type PlainRevision,
  type RecordHistory,
  type StoredRevision,
} from '../../records/record-history.port.js';
import { RevisionPacker } from './revision-packer.js';
import { insertRevisions, storedRevisions, type NewRevision } from './revision-rows.js';
import { changedIn } from './changed-cell.js';
import { DamageLog } from './damage-log.js';
import { packedColumns } from '../snapshots/packed-row.js';
import { requireSnapshot } from '../snapshots/snapshot-schema.js';
import type { Snapshot, SnapshotField, SnapshotTerm } from '../snapshots/snapshot.js';
import { DamagedSnapshotError } from '../snapshots/stored-snapshot.js';
import { Unpacking, type UnpackableRow } from '../snapshots/unpacking.js';

type Number64 = number | string;

interface Row extends UnpackableRow {
  readonly version: number;
  readonly action: string;
  readonly actor_id: Number64;
  readonly changed: string;
  readonly rollback_of: Number64 | null;
}

const COLUMNS = `r.record_id, r.ts, r.version, r.action, r.actor_id, r.changed, r.rollback_of, r.base_ts, ${packedColumns('r')}`;
/** Snapshots may be long. */
const PORTION = 64;
const STORED_PORTION = 2_000;

/** Hands histories out as they are, and takes those in that come from elsewhere. */
@Injectable()
export class RevisionHistory implements RecordHistory, OnModuleInit {
  constructor(
    private readonly host: RecordHistoryHost,
    private readonly damage: DamageLog,
  ) {}

  onModuleInit(): void {
    this.host.use(this);
  }

  async *read(
    reader: Reader,
    recordIds: readonly number[],
  ): AsyncGenerator<PlainRevision & { readonly recordId: number }> {
    const unpacking = new Unpacking();
    for (let rest = recordIds, last: Row | undefined; rest.length > 0;) {
      const rows = await portion(reader, rest, last);
      for (const row of rows) yield await this.revision(unpacking, row);
      last = rows.at(-1);
      const id = Number(last?.record_id);
      rest = rows.length < PORTION ? [] : rest.filter((one) => one >= id);
    }
  }

  async *stored(reader: Reader, recordIds: readonly number[]): AsyncGenerator<StoredRevision> {
    for (let rest = recordIds, last: StoredRevision | undefined; rest.length > 0;) {
      const rows = await storedRevisions(reader, rest, last, STORED_PORTION);
      yield* rows;
      last = rows.at(-1);
      const id = Number(last?.record_id);
      rest = rows.length < STORED_PORTION ? [] : rest.filter((one) => one >= id);
    }
  }

  async instants(
    manager: EntityManager,
    recordIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Instant[]>> {
    const found = new Map<number, Instant[]>(recordIds.map((id) => [id, []]));
    if (recordIds.length === 0) return found;
    const rows = await select<Pick<Row, 'record_id' | 'ts' | 'version'>>(
      manager,
      `SELECT record_id, ts, version FROM revisions WHERE record_id IN (${placeholders(recordIds)}) ORDER BY ts`,
      recordIds,
    );
    for (const { record_id: id, ts, version } of rows) found.get(Number(id))?.push({ ts: Number(ts), version });
    return found;
  }

  begin(recordId: number, ids: NewIds): HistoryDraft {
    return new PackedHistory(recordId, ids);
  }

  async write(manager: EntityManager, drafts: readonly HistoryDraft[]): Promise<void> {
    const revisions = drafts.flatMap((draft) => (draft instanceof PackedHistory ? draft.revisions : []));
    await insertRevisions(manager, revisions);
  }

  /** A revision that says nothing readable keeps its place in the history. */
  private async revision(unpacking: Unpacking, row: Row): Promise<PlainRevision & { readonly recordId: number }> {
    const snapshot = await this.unlessDamaged(row, () => unpacking.snapshot(row));
    const changed = await this.unlessDamaged(row, () => changedIn(row.changed));
    return { ...detailsOf(row), changed: changed ?? [], snapshot: changed ? snapshot : null };
  }

  private async unlessDamaged<Part>(row: Row, part: () => Part | Promise<Part>): Promise<Part | null> {
    try {
      return await part();
    } catch (error) {
      if (!(error instanceof DamagedSnapshotError)) throw error;
      this.damage.note({ recordId: Number(row.record_id), ts: Number(row.ts) }, error);
      return null;
    }
  }
}

class PackedHistory implements HistoryDraft {
  private readonly packer = new RevisionPacker(new Map());

  constructor(
    private readonly recordId: number,
    private readonly ids: NewIds,
  ) {}

  get revisions(): readonly NewRevision[] {
    return this.packer.all();
  }

  get bytes(): number {
    return this.revisions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get instants(): readonly Instant[] {
    return this.revisions;
  }

  async add({ snapshot, ts, actor, version, action, changed, rollbackOf }: PlainRevision): Promise<void> {
    const last = this.revisions.at(-1);
    if (last && last.ts >= ts) {
      const message = 'ts must be later than that of the revision before.';
      throw new ValidationError([{ field: 'ts', rule: 'order', message }]);
    }
    const own = await renamed(safe(requireSnapshot(snapshot)), this.ids);
    await this.packer.addSnapshot(
      this.recordId,
      { authorship: { actor, at: ts }, version, action, changed, rollbackOf },
      own,
    );
  }
}

async function portion(reader: Reader, recordIds: readonly number[], last: Row | undefined): Promise<Row[]> {
  const beyond = last ? ' AND NOT (r.record_id = ? AND r.ts <= ?)' : '';
  const values: SqlValue[] = last ? [Number(last.record_id), Number(last.ts)] : [];
  return reader.select<Row>(
    `SELECT ${COLUMNS} FROM revisions r WHERE r.record_id IN (${placeholders(recordIds)})${beyond}
      ORDER BY r.record_id, r.ts LIMIT ${PORTION}`,
    [...recordIds, ...values],
  );
}

function detailsOf(row: Row): Omit<PlainRevision, 'snapshot' | 'changed'> & { readonly recordId: number } {
  return {
    recordId: Number(row.record_id),
    ts: Number(row.ts),
    version: row.version,
    action: row.action,
    actor: Number(row.actor_id),
    rollbackOf: row.rollback_of === null ? null : Number(row.rollback_of),
  };
}

/** By what no record may hold; values of fields stand as deep as they would in a body. */
function safe(snapshot: Snapshot): Snapshot {
  const { fields, ...rest } = snapshot;
  const faults = [rest, ...fields.map(({ id, value }) => ({ [id]: value }))].flatMap((part) => unsafeValues(part));
  if (faults.length > 0) throw new ValidationError(faults);
  return snapshot;
}

async function renamed(snapshot: Snapshot, ids: NewIds): Promise<Snapshot> {
  const fields: SnapshotField[] = [];
  for (const field of snapshot.fields) fields.push({ ...field, id: await ids.field(field.id) });
  const terms: Record<string, SnapshotTerm[]> = {};
  for (const [taxonomy, own] of Object.entries(snapshot.terms)) {
    const there: SnapshotTerm[] = [];
    for (const term of own) there.push({ ...term, id: await ids.term(term.id) });
    terms[taxonomy] = there;
  }
  return { ...snapshot, fields, terms };
}
