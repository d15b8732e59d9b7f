import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { numbered, slugify } from '../../common/text/slug.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { placeholders, select, type SqlValue } from '../../database/statements/statement.js';
import type { RecordState } from './record-state.js';

/** The records among which a slug has to be unique. */
interface SlugSpace {
  readonly typeId: number;
  /** `null`: among all locales. */
  readonly locale: string | null;
}

const MAX_POWER = 40;
const FIRST_NUMBER = 2;
/** A slug that other processes took so often gets a random end. */
const MOST_LOST = 12;

/** The slug that a title asks for; a random one where the title has no letters that a URL could show. */
export function wantedSlug(title: string, typeName: string): string {
  const slug = slugify(title);
  return slug === '' ? numbered(typeName, randomBytes(4).toString('hex')) : slug;
}

/**
 * The number of the first free one of `hello-2`, `hello-3`, … Found by doubling and halving, so that the ten-thousandth record
 * of one title costs a dozen look-ups and not ten thousand.
 */
export async function freeNumber(manager: EntityManager, space: SlugSpace, wanted: string): Promise<number> {
  const powers = Array.from({ length: MAX_POWER }, (_, exponent) => 2 ** (exponent + 1));
  const taken = await takenOf(
    manager,
    space,
    powers.map((n) => numbered(wanted, n)),
  );
  const firstFree = powers.find((n) => !taken.has(numbered(wanted, n))) ?? 2 ** MAX_POWER;
  if (firstFree === FIRST_NUMBER) return FIRST_NUMBER;

  let lastTaken = firstFree / 2;
  let free = firstFree;
  while (free - lastTaken > 1) {
    const middle = Math.floor((free + lastTaken) / 2);
    const isTaken = (await takenOf(manager, space, [numbered(wanted, middle)])).size > 0;
    if (isTaken) lastTaken = middle;
    else free = middle;
  }
  return free;
}

/** True if the index refuses the slug of a record. */
export function isSlugTaken(error: unknown): boolean {
  return error instanceof DomainError && error.error === 'slug_taken';
}

/**
 * The slug of a record if no other one has it, and else its next free number. The index decides again: others may take it
 * between looking and writing. After some lost ones it is a random one.
 */
export async function freeSlug(
  manager: EntityManager,
  type: CompiledType,
  state: Pick<RecordState, 'slug' | 'locale'>,
  lost: number,
): Promise<string> {
  const { slug } = state;
  const space = slugSpace(type, state);
  if ((await takenOf(manager, space, [slug])).size === 0) return slug;
  if (lost >= MOST_LOST) return numbered(slug, randomBytes(4).toString('hex'));
  return numbered(slug, await freeNumber(manager, space, slug));
}

/** The records among which the slug of a record has to be unique for its address to be its own. */
export function slugSpace(type: CompiledType, { locale }: Pick<RecordState, 'locale'>): SlugSpace {
  return { typeId: type.id, locale: type.sharesAddresses ? null : locale };
}

/** The condition on a row of `records` that has one of these slugs there, and its values. */
function inSpace({ typeId, locale }: SlugSpace, slugs: readonly string[]): [string, SqlValue[]] {
  const [condition, values] = [`type_id = ? AND slug IN (${placeholders(slugs)})`, [typeId, ...slugs]];
  return locale === null ? [condition, values] : [`${condition} AND locale = ?`, [...values, locale]];
}

/** The statement that finds the records with a slug there that are not this one. */
export function othersWithSlug(space: SlugSpace, slug: string, recordId: number): Condition {
  const [condition, values] = inSpace(space, [slug]);
  return { sql: `SELECT id FROM records WHERE ${condition} AND id <> ?`, values: [...values, recordId] };
}

async function takenOf(manager: EntityManager, space: SlugSpace, slugs: string[]): Promise<Set<string>> {
  const [condition, values] = inSpace(space, slugs);
  const rows = await select<{ slug: string }>(manager, `SELECT slug FROM records WHERE ${condition}`, values);
  return new Set(rows.map(({ slug }) => slug));
}
