import type { EntityManager } from 'typeorm';
import { numbered } from '../common/text/slug.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { placeholders, select } from '../database/statements/statement.js';
import type { RecordState } from './writing/record-state.js';
import { freeNumber, slugSpace, wantedSlug } from './writing/slugs.js';

/** A record that comes from elsewhere, with the time it was made there. Without a slug it gets one from its title. */
export interface NewRecord {
  readonly state: RecordState;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** More would be more values than SQLite takes in one statement. */
const MAX_IMPORTED = 1_000;

/** Each with a slug that is free among those there are and among the records themselves. */
export async function withSlugs(
  manager: EntityManager,
  type: CompiledType,
  records: readonly NewRecord[],
): Promise<NewRecord[]> {
  const wanted = records.map((record) => withWanted(record, type));
  const taken = await takenOf(manager, type, wanted);
  const numbers = new SlugNumbers(manager, type, taken, wanted);
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

/** Where the numbers of one slug go on. */
interface Series {
  /** The next number. */
  next: number;
  /** The first one that has not been looked up. */
  ahead: number;
  /** How many are looked up at a time. */
  some: number;
}

/**
 * Numbers behind slugs that are taken, in the order of the records. The first one is found by doubling and halving, and
 * those after it are looked up together: a thousand items of one title cost a dozen look-ups.
 */
class SlugNumbers {
  private readonly series = new Map<string, Series>();
  private readonly wanted = new Map<string, number>();

  /** @param taken keys of slugs that are known to be taken; what is looked up is added */
  constructor(
    private readonly manager: EntityManager,
    private readonly type: CompiledType,
    private readonly taken: Set<string>,
    records: readonly NewRecord[],
  ) {
    for (const { state } of records) {
      const key = keyOf(type, state);
      this.wanted.set(key, (this.wanted.get(key) ?? 0) + 1);
    }
  }

  async next(state: RecordState): Promise<string> {
    const key = keyOf(this.type, state);
    const series = this.series.get(key) ?? (await this.begin(state, key));
    this.series.set(key, series);
    for (;;) {
      if (series.next >= series.ahead) await this.lookAhead(state, series);
      const slug = numbered(state.slug, series.next);
      series.next += 1;
      if (!this.taken.has(keyOf(this.type, { ...state, slug }))) return slug;
    }
  }

  private async begin(state: RecordState, key: string): Promise<Series> {
    const first = await freeNumber(this.manager, slugSpace(this.type, state), state.slug);
    return { next: first, ahead: first, some: this.wanted.get(key) ?? 1 };
  }

  private async lookAhead(state: RecordState, series: Series): Promise<void> {
    const some = Array.from({ length: series.some }, (_, at) => numbered(state.slug, series.ahead + at));
    const records = some.map((slug) => ({ state: { ...state, slug } }));
    for (const key of await takenOf(this.manager, this.type, records)) this.taken.add(key);
    series.ahead += series.some;
    series.some *= 2;
  }
}

/** The same for records that cannot both be there. */
export function keyOf(type: CompiledType, { locale, slug }: Pick<RecordState, 'locale' | 'slug'>): string {
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
export async function namesakes(
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
