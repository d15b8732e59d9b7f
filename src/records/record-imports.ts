import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sortKey } from '../common/text/fold.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { Dialect } from '../database/dialect/dialect.js';
import { execute, placeholders, select, type SqlValue } from '../database/statements/statement.js';
import { insertRows } from '../database/statements/statement-queue.js';
import { RecordCounts } from './counting/record-counts.js';
import { laterThan, type Authorship } from './rows/actors.js';
import { insertIndex } from './writing/record-index.js';
import { RecordListeners } from './writing/record-listeners.js';
import { ALL_COLUMNS, storedTerms, termIdsOf, WITH_CONTENTS, type RecordRow } from './rows/record-row.js';
import type { RecordState } from './writing/record-state.js';
import { RecordChanges } from './writing/record-changes.js';
import { LostRaceError } from './writing/record-writer.js';
import { numbered } from '../common/text/slug.js';
import { freeNumber, slugSpace, wantedSlug } from './writing/slugs.js';

const COLUMNS =
  'type_id, locale, slug, title, title_key, status, version, created_by, updated_by, created_at, updated_at, published_at, trashed_at';

/** Writes many records of one type at once. Everything runs inside a unit of work that holds the type. */
@Injectable()
export class RecordImports {
  constructor(
    private readonly counts: RecordCounts,
    private readonly listeners: RecordListeners,
    private readonly changes: RecordChanges,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Writes new records. A slug that is taken gets the next free number.
   *
   * @returns their ids and the slugs that they got, in the same order
   * @throws a refusal of the database, or {@link LostRaceError}, where another unit has just taken a slug: nothing may be
   *   kept then
   */
  async insert(
    manager: EntityManager,
    type: CompiledType,
    records: readonly NewRecord[],
    authorship: Authorship,
  ): Promise<{ id: number; slug: string }[]> {
    if (records.length === 0) return [];
    const slugged = await withSlugs(manager, type, records);
    await insertNarrow(manager, type, slugged, authorship);
    const ids = await this.ownIds(manager, type, slugged);
    const written = slugged.map((record) => ({ ...record, id: ids.get(keyOf(type, record.state)) ?? vanished() }));
    await insertContents(manager, written);
    await insertIndex(manager, type, written);
    await this.counts.add(
      manager,
      written.map(({ state: { status, terms } }) => ({
        typeId: type.id,
        status,
        terms: termIdsOf(terms),
        d: 1,
      })),
    );
    await this.listeners.written(
      manager,
      written.map(({ id, state, createdAt }) => ({
        ...{ type, id, action: 'import', before: null, after: state, version: 1 },
        ...{ authorship, previous: null, createdAt, rollbackOf: null },
      })),
    );
    return written.map(({ id, state: { slug } }) => ({ id, slug }));
  }

  /** The ids that records got, where none has an address that another one has as well. */
  private async ownIds(manager: EntityManager, type: CompiledType, records: readonly NewRecord[]) {
    const found = await namesakes(manager, type, records, type.sharesAddresses ? this.dialect.lockInShareMode : '');
    const ids = new Map(found.map((row) => [keyOf(type, row), Number(row.id)]));
    const own = new Set(records.map(({ state }) => keyOf(type, state)));
    if (found.filter((row) => own.has(keyOf(type, row))).length > records.length) throw new LostRaceError();
    return ids;
  }

  /** Gives a record another state. Returns whether there was anything to change. */
  async update(
    manager: EntityManager,
    type: CompiledType,
    { row, state, authorship }: { row: RecordRow; state: RecordState; authorship: Authorship },
  ): Promise<boolean> {
    const later = { ...authorship, at: laterThan(row, authorship.at) };
    const plan = { row, state, authorship: later, action: 'import' } as const;
    return (await this.changes.change({ manager, type, plan })) !== row;
  }

  /** Whole records as this unit of work sees them, by id. Those in the trash too. */
  async rows(manager: EntityManager, ids: readonly number[]): Promise<ReadonlyMap<number, RecordRow>> {
    if (ids.length === 0) return new Map();
    const rows = await select<RecordRow>(
      manager,
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_CONTENTS} WHERE r.id IN (${placeholders(ids)})`,
      ids,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

async function insertNarrow(
  manager: EntityManager,
  type: CompiledType,
  records: readonly NewRecord[],
  { actor, at }: Authorship,
): Promise<void> {
  const rows = records.map(({ createdAt, state }): SqlValue[] => [
    ...[type.id, state.locale, state.slug, state.title, sortKey(state.title), state.status, 1],
    ...[actor, actor, createdAt, at, state.publishedAt, 0],
  ]);
  await insertRows(manager, `INSERT INTO records (${COLUMNS})`, rows, { write: execute });
}

async function insertContents(manager: EntityManager, records: readonly (NewRecord & { id: number })[]): Promise<void> {
  const rows = records.map(({ id, state }): SqlValue[] => [
    ...[id, state.body, JSON.stringify(state.values), storedTerms(state.terms)],
  ]);
  await insertRows(manager, 'INSERT INTO record_contents (record_id, body, data, terms)', rows);
}

function vanished(): never {
  throw new Error('A record vanished while it was being imported.');
}

/** A record that comes from elsewhere, with the time it was made there. Without a slug it gets one from its title. */
export interface NewRecord {
  readonly state: RecordState;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** More would be more values than SQLite takes in one statement. */
const MAX_IMPORTED = 1_000;
/** Numbers of one slug that are looked up together. */
const LOOKED_UP = 250;

/** Each with a slug that is free among those there are and among the records themselves. */
async function withSlugs(
  manager: EntityManager,
  type: CompiledType,
  records: readonly NewRecord[],
): Promise<NewRecord[]> {
  const wanted = records.map((record) => withWanted(record, type));
  const taken = await takenOf(manager, type, wanted);
  const numbers = new SlugNumbers(manager, type, taken);
  const free: NewRecord[] = [];
  for (const record of wanted) {
    const { state } = record;
    const slug = taken.has(keyOf(type, state)) ? await numbers.next(state) : state.slug;
    taken.add(keyOf(type, { ...state, slug }));
    free.push({ ...record, state: { ...state, slug } });
  }
  return free;
}

function withWanted(record: NewRecord, { name }: CompiledType): NewRecord {
  const { state } = record;
  return state.slug === '' ? { ...record, state: { ...state, slug: wantedSlug(state.title, name) } } : record;
}

/**
 * Numbers behind slugs that are taken, in the order of the records. The first one is found by doubling and halving, and
 * those after it are looked up together: a thousand items of one title cost a dozen look-ups.
 */
class SlugNumbers {
  /** The next number of each slug, and the first one that has not been looked up. */
  private readonly series = new Map<string, { next: number; ahead: number }>();

  /** @param taken keys of slugs that are known to be taken; what is looked up is added */
  constructor(
    private readonly manager: EntityManager,
    private readonly type: CompiledType,
    private readonly taken: Set<string>,
  ) {}

  async next(state: RecordState): Promise<string> {
    const key = keyOf(this.type, state);
    const series = this.series.get(key) ?? (await this.begin(state));
    this.series.set(key, series);
    for (;;) {
      if (series.next === series.ahead) {
        const slugs = Array.from({ length: LOOKED_UP }, (_, at) => numbered(state.slug, series.ahead + at));
        const records = slugs.map((slug) => ({ state: { ...state, slug } }));
        for (const other of await takenOf(this.manager, this.type, records)) this.taken.add(other);
        series.ahead += LOOKED_UP;
      }
      const slug = numbered(state.slug, series.next);
      series.next += 1;
      if (!this.taken.has(keyOf(this.type, { ...state, slug }))) return slug;
    }
  }

  private async begin(state: RecordState): Promise<{ next: number; ahead: number }> {
    const first = await freeNumber(this.manager, slugSpace(this.type, state), state.slug);
    return { next: first, ahead: first };
  }
}

/** The same for records that cannot both be there. */
function keyOf(type: CompiledType, { locale, slug }: Pick<RecordState, 'locale' | 'slug'>): string {
  return type.sharesAddresses ? slug : `${locale} ${slug}`;
}

async function takenOf(
  manager: EntityManager,
  type: CompiledType,
  records: readonly Pick<NewRecord, 'state'>[],
): Promise<Set<string>> {
  return new Set((await namesakes(manager, type, records)).map((row) => keyOf(type, row)));
}

interface Namesake {
  readonly id: number | string;
  readonly locale: string;
  readonly slug: string;
}

/**
 * Records that have a slug of these, in any locale. New ones are read back by them: what an insert of several rows says
 * about their ids is another thing on each database.
 */
async function namesakes(
  manager: EntityManager,
  { id: typeId }: CompiledType,
  records: readonly Pick<NewRecord, 'state'>[],
  lock = '',
): Promise<Namesake[]> {
  const found: Namesake[] = [];
  for (let start = 0; start < records.length; start += MAX_IMPORTED) {
    const slugs = records.slice(start, start + MAX_IMPORTED).map(({ state }) => state.slug);
    // The version stands in no index: a server that reads an index alone locks that alone, and not the record.
    const sql = `SELECT id, locale, slug, version FROM records WHERE type_id = ? AND slug IN (${placeholders(slugs)})${lock}`;
    found.push(...(await select<Namesake>(manager, sql, [typeId, ...slugs])));
  }
  return found;
}
