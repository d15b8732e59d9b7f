import { canonicalLocale } from '../common/text/locale.js';
import { composed } from '../common/text/slug.js';
import { sharesAddresses } from '../content-types/definition/addresses.js';
import { allTypeOptions } from '../content-types/store/type-rows.js';
import type { Reader } from '../database/statements/reads.js';
import { taxonomyNames } from '../taxonomy/taxonomies/taxonomy.js';
import { SLUGS_OF_TERMS } from '../taxonomy/terms/named-terms.js';

/** Rows that are read together. */
const BATCH = 1_000;
/** Pairs that are named; the others are counted. */
const MOST_NAMED = 50;

/** What earlier releases let in: names that are equal by now. */
export interface LookAlikes {
  readonly count: number;
  /** The first of them, each with the one that it is like: `post/12 (pt-br, "a")` and `post/7 (pt-BR, "a")`. */
  readonly examples: readonly (readonly [string, string])[];
}

interface Slugged {
  readonly id: number | string;
  readonly slug: string;
  /** Of a record its locale, of a term nothing. */
  readonly locale: string;
}

/** Where slugs have to be unique: the records of a type, or the terms of a taxonomy. */
interface Space {
  readonly name: string;
  /** Selects {@link Slugged}, up to the condition on the slug. */
  readonly selection: string;
  readonly owner: number | string;
  /** Whether a slug can be there once for each locale. */
  readonly hasLocales: boolean;
}

/**
 * Finds records of which the address, and terms of which the slug, is that of another one once marks are composed and
 * locales are in their canonical form. Nothing new can be so. Reads the indexes of slugs as a whole, some at a time.
 */
export async function findLookAlikes(reader: Reader): Promise<LookAlikes> {
  const examples: [string, string][] = [];
  let count = 0;
  for (const space of await spacesOf(reader)) {
    for await (const [one, other] of pairsIn(reader, space)) {
      count += 1;
      if (examples.length < MOST_NAMED) examples.push([shown(space, one), shown(space, other)]);
    }
  }
  return { count, examples };
}

async function spacesOf(reader: Reader): Promise<Space[]> {
  const types = await allTypeOptions(reader);
  const taxonomies = await taxonomyNames(reader);
  return [
    ...types.map(({ id, name, options }) => ({
      ...{ name, owner: id, selection: 'SELECT id, slug, locale FROM records WHERE type_id = ?' },
      hasLocales: !sharesAddresses(options),
    })),
    ...taxonomies.map((name) => ({
      ...{ name: `taxonomy/${name}`, owner: name, hasLocales: false },
      selection: SLUGS_OF_TERMS,
    })),
  ];
}

/** Each that is not as it would be written now, with another one that it is like; of two such the younger one. */
async function* pairsIn(reader: Reader, space: Space): AsyncGenerator<[Slugged, Slugged]> {
  let before = '';
  for await (const row of rowsOf(reader, space)) {
    const isRepeated = row.slug === before && !space.hasLocales;
    before = row.slug;
    if (!isRepeated && !isOdd(row)) continue;
    const slugs = [row.slug, composed(row.slug), row.slug.normalize('NFD')];
    const sql = `${space.selection} AND slug IN (?, ?, ?) ORDER BY id`;
    const all = await reader.select<Slugged>(sql, [space.owner, ...slugs]);
    const other = all.find((one) => Number(one.id) !== Number(row.id) && keyOf(space, one) === keyOf(space, row));
    if (other && (isRepeated || isToGiveWay(row, other))) yield [row, other];
  }
}

/** Of two that are both odd, one is named. */
function isToGiveWay(row: Slugged, other: Slugged): boolean {
  return !isOdd(other) || Number(other.id) < Number(row.id);
}

function isOdd({ slug, locale }: Slugged): boolean {
  return slug !== composed(slug) || locale !== canonicalLocale(locale);
}

async function* rowsOf(reader: Reader, { selection, owner }: Space): AsyncGenerator<Slugged> {
  for (let last: Slugged = { id: 0, slug: '', locale: '' }; ;) {
    const rows = await reader.select<Slugged>(
      `${selection} AND slug >= ? AND (slug > ? OR id > ?) ORDER BY slug, id LIMIT ${BATCH}`,
      [owner, last.slug, last.slug, Number(last.id)],
    );
    yield* rows;
    const end = rows.at(-1);
    if (rows.length < BATCH || !end) return;
    last = end;
  }
}

function keyOf({ hasLocales }: Space, { slug, locale }: Slugged): string {
  return hasLocales ? `${canonicalLocale(locale)} ${composed(slug)}` : composed(slug);
}

function shown({ name }: Space, { id, slug, locale }: Slugged): string {
  return `${name}/${id} (${locale === '' ? '' : `${locale}, `}"${slug}")`;
}
