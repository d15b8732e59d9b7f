import type { EntityManager } from 'typeorm';
import { setImmediate as turn } from 'node:timers/promises';
import type { Field, TypeDefinition } from '../content-types/content-type.js';
import { placeholders, select } from '../database/statement.js';
import { termIdsOf } from '../records/record-row.js';
import type { RecordState } from '../records/writing/record-state.js';
import type { SearchDocument } from './search-index.js';
import { indexText } from './text/analyzer.js';
import { plainText } from './text/plain-text.js';

/** A record that is to be found. */
export interface FoundRecord {
  readonly id: number;
  readonly type: TypeDefinition;
  readonly state: RecordState;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

/** Names of terms by id. */
type TermNames = ReadonlyMap<number, string>;

const PLAIN_PARTS = ['title', 'status', 'publishedAt', 'body'] as const satisfies (keyof RecordState)[];

/** To analyse so many records takes a few milliseconds, after which others may have the processor. */
const RECORDS_PER_TURN = 10;

/** What is to be found of records, as it stands within a unit of work. */
export async function documentsOf(manager: EntityManager, records: readonly FoundRecord[]): Promise<SearchDocument[]> {
  const names = await namesOf(
    manager,
    records.flatMap(({ state }) => termIdsOf(state.terms)),
  );
  const documents: SearchDocument[] = [];
  for (const record of records) {
    if (documents.length % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await turn();
    documents.push(documentOf(record, names));
  }
  return documents;
}

/** All that can be read of a record apart from its title: for the index, and to cut excerpts from. */
export function readableText(
  { fields }: TypeDefinition,
  { body, values }: Pick<RecordState, 'body' | 'values'>,
): string {
  const own = fields.filter(({ searchable }) => searchable).flatMap((field) => textsOf(field, values[field.id]));
  return [plainText(body ?? ''), ...own].join('\n').trim();
}

/** Whether two states of a record have the same document: they agree in everything that it is made of. */
export function hasSameDocument({ fields }: TypeDefinition, before: RecordState, after: RecordState): boolean {
  if (PLAIN_PARTS.some((part) => before[part] !== after[part])) return false;
  const searchable = fields.filter((field) => field.searchable);
  const others = ({ terms, values }: RecordState) => [terms, searchable.map(({ id }) => values[id] ?? null)];
  return JSON.stringify(others(before)) === JSON.stringify(others(after));
}

function documentOf({ id, type, state, createdAt }: FoundRecord, names: TermNames): SearchDocument {
  const terms = termIdsOf(state.terms).flatMap((term) => names.get(term) ?? []);
  return {
    id,
    typeId: type.id,
    status: state.status,
    sortAt: state.publishedAt ?? createdAt,
    title: indexText(state.title),
    terms: indexText(terms.join('\n')),
    body: indexText(readableText(type, state)),
  };
}

function textsOf({ type }: Field, value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string') return [];
  return [type === 'markdown' || type === 'html' ? plainText(value) : value];
}

/** Terms may have been made by the very unit that writes the record, so nobody else can know them yet. */
async function namesOf(manager: EntityManager, ids: readonly number[]): Promise<TermNames> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Map();
  const rows = await select<{ id: number | string; name: string }>(
    manager,
    `SELECT id, name FROM terms WHERE id IN (${placeholders(asked)})`,
    asked,
  );
  return new Map(rows.map(({ id, name }) => [Number(id), name]));
}
