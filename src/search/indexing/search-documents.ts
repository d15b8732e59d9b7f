import type { EntityManager } from 'typeorm';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import { readerOf } from '../../database/statements/reads.js';
import { termIdsOf } from '../../records/rows/record-row.js';
import type { RecordState } from '../../records/writing/record-state.js';
import { termNames } from '../../taxonomy/terms/named-terms.js';
import type { SearchDocument } from '../search-index.js';
import { indexText } from '../text/analysis/analyzer.js';
import { readable, type TextPart } from '../text/markup/plain-text.js';

/** A record that is to be found. */
export interface FoundRecord {
  readonly id: number;
  readonly type: TypeDefinition;
  readonly state: RecordState;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly prepared?: PreparedText | undefined;
}

/** Text that a record can be found by, made before the unit of work that writes it. */
export interface PreparedText {
  readonly parts: readonly TextPart[];
  readonly terms: string;
}

type Readable = Pick<RecordState, 'body' | 'values'>;

/** Names of terms by id. */
const NO_NAMES: ReadonlyMap<number, string> = new Map();

const PLAIN_PARTS = ['title', 'status', 'publishedAt', 'body'] as const satisfies (keyof RecordState)[];

/** To analyse so many records takes a few milliseconds, after which others may have the processor. */
const RECORDS_PER_TURN = 10;

/** Documents of records, as they stand within a unit of work. */
export async function documentsOf(manager: EntityManager, records: readonly FoundRecord[]): Promise<SearchDocument[]> {
  // Terms may have been made by the very unit that writes the record, so no cache can have them yet.
  const ids: number[] = [];
  for (const { state } of records) ids.push(...termIdsOf(state.terms));
  const names = ids.length === 0 ? NO_NAMES : await termNames(readerOf(manager), ids);
  const documents: SearchDocument[] = [];
  for (const { id, type, state, createdAt, prepared } of records) {
    if (documents.length % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await turn();
    const parts = partsOf(type, state);
    // A record that was changed since it was prepared is analysed anew.
    const isPrepared = prepared !== undefined && isDeepStrictEqual(prepared.parts, parts);
    documents.push({
      id,
      typeId: type.id,
      status: state.status,
      sortAt: state.publishedAt ?? createdAt,
      title: await indexText(state.title),
      terms: await indexText(
        termIdsOf(state.terms)
          .flatMap((term) => names.get(term) ?? [])
          .join('\n'),
      ),
      body: isPrepared ? prepared.terms : await indexText(readable(parts)),
    });
  }
  return documents;
}

/** All that can be read of a record apart from its title, to cut excerpts from. */
export function readableText(type: TypeDefinition, state: Readable): string {
  return readable(partsOf(type, state));
}

/** Does the greater part of the work for a record that is going to be written. */
export async function preparedText(type: TypeDefinition, state: Readable): Promise<PreparedText> {
  const parts = partsOf(type, state);
  return { parts, terms: await indexText(readable(parts)) };
}

/** Tells whether two states of a record have the same document: they agree in everything that it is made of. */
export function hasSameDocument({ fields }: TypeDefinition, before: RecordState, after: RecordState): boolean {
  for (const part of PLAIN_PARTS) if (before[part] !== after[part]) return false;
  const searchable = fields.filter((field) => field.searchable);
  const others = ({ terms, values }: RecordState) => [terms, searchable.map(({ id }) => values[id] ?? null)];
  return JSON.stringify(others(before)) === JSON.stringify(others(after));
}

function partsOf({ fields }: TypeDefinition, { body, values }: Readable): TextPart[] {
  const parts: TextPart[] = [{ text: body ?? '', isMarked: true }];
  for (const { id, type, searchable } of fields) if (searchable) parts.push(...kindOf(type).searchTexts(values[id]));
  return parts;
}
