import type { TypeDefinition } from '../../../content-types/definition/content-type.js';
import type { Field } from '../../../content-types/kinds/field.js';
import type { Reader } from '../../../database/statements/reads.js';
import { wholeRows } from '../../../records/rows/long-rows.js';
import { countRecordsOf, listedRecordsAfter } from '../../../records/rows/record-portions.js';
import type { ListedRow, RecordRow } from '../../../records/rows/record-row.js';
import { namedTerms } from '../../../taxonomy/terms/named-terms.js';
import { mergedTerms, storedTermOf, storedTermsAfter, type StoredTerm } from '../../../taxonomy/terms/stored-term.js';
import { copiedUsersAfter, type CopiedUserRow } from '../../../users/rows/user-copies.js';
import type { RowValidator } from './row-validator.js';

/** A term that went into another one, and the slug that it had. */
interface MergedTerm {
  readonly id: number;
  readonly slug: string;
}

const TERMS = 1_000;
const USERS = 1_000;
const RECORDS = 64;

/** As the tree is read, so that a parent stands before what is under it. */
export async function* termsOf(
  reader: Reader,
  taxonomy: string,
  validator: RowValidator,
): AsyncGenerator<StoredTerm & { readonly merged: readonly MergedTerm[] }> {
  for (let last = ''; ;) {
    const rows = await storedTermsAfter(reader, taxonomy, last, TERMS);
    const terms = rows.filter((row) => validator.isValid('terms', row)).map(storedTermOf);
    const merged = await mergedInto(reader, terms, validator);
    for (const term of terms) yield { ...term, merged: merged.get(term.id) ?? [] };
    if (rows.length < TERMS) return;
    last = rows.at(-1)?.sort_key ?? '';
  }
}

async function mergedInto(
  reader: Reader,
  terms: readonly StoredTerm[],
  validator: RowValidator,
): Promise<ReadonlyMap<number, MergedTerm[]>> {
  const found = new Map<number, MergedTerm[]>();
  if (terms.length === 0) return found;
  const ids = terms.map(({ id }) => id);
  const rows = await mergedTerms(reader, ids);
  for (const { term_id: id, into_id: into, slug } of rows.filter((row) => validator.isValid('term_redirects', row))) {
    found.set(Number(into), [...(found.get(Number(into)) ?? []), { id: Number(id), slug }]);
  }
  return found;
}

export async function* users(reader: Reader, validator: RowValidator): AsyncGenerator<CopiedUserRow> {
  for (let last = 0; ;) {
    const rows = await copiedUsersAfter(reader, last, USERS);
    yield* rows.filter((row) => validator.isValid('users', row));
    if (rows.length < USERS) return;
    last = Number(rows.at(-1)?.id);
  }
}

/** Whole records in the order of their ids, those in the trash too, some at a time. */
export async function* recordRows(
  reader: Reader,
  typeIds: readonly number[],
  validator: RowValidator,
): AsyncGenerator<readonly RecordRow[]> {
  if (typeIds.length === 0) return;
  for (let last = 0; ;) {
    const rows = await listedRecordsAfter(reader, typeIds, last, RECORDS);
    yield* validRows(reader, rows, validator);
    if (rows.length < RECORDS) return;
    last = rows.at(-1)?.id ?? 0;
  }
}

/** The rows as a whole, as far as they can be written down. In a snapshot, one that cannot be read has no contents. */
async function* validRows(
  reader: Reader,
  rows: readonly ListedRow[],
  validator: RowValidator,
): AsyncGenerator<readonly RecordRow[]> {
  const missing = new Set(rows.map(({ id }) => id));
  for await (const whole of wholeRows(reader, rows)) {
    for (const { id } of whole) missing.delete(id);
    yield validator.validRecords(whole);
  }
  for (const id of missing) validator.addWithoutContents(id);
}

/** Terms that there are, by the ids that records know them by: one that was merged is what it went into. */
export async function presentTerms(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const found = await namedTerms(reader, ids);
  return new Map([...found].map(([asked, { id }]) => [asked, id]));
}

/** How many there are; where counting takes longer than the database allows, 0. */
export async function countRecords(reader: Reader, typeIds: readonly number[]): Promise<number> {
  if (typeIds.length === 0) return 0;
  return countRecordsOf(reader, typeIds).catch(() => 0);
}

/** A type, and all that its fields point to. */
export function withTargets(types: readonly TypeDefinition[], name: string): TypeDefinition[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const wanted = new Set([name]);
  for (const one of wanted) for (const target of targetsOf(byName.get(one)?.fields ?? [])) wanted.add(target);
  return types.filter((type) => wanted.has(type.name));
}

function targetsOf(fields: readonly Field[]): string[] {
  return fields.flatMap(({ to = [] }) => to);
}
