import type { Status } from '../../content-types/content-type.js';
import { placeholders, type SqlValue } from '../../database/statement.js';
import type { SearchedType } from '../search-index.js';
import { adjacencies, spelledTexts, toBooleanMode } from '../text/fulltext.js';
import type { Clause, SearchQuery } from '../text/query.js';

/** A piece of SQL with the values for its `?`. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

type Column = 'title' | 'terms' | 'body';

const ALL: readonly Column[] = ['title', 'terms', 'body'];
const FULLTEXT = 'MATCH (title, terms, body) AGAINST (? IN BOOLEAN MODE)';

/** What the full-text index thinks of a row; 0: nothing. */
export function relevance(query: SearchQuery): Sql {
  return { text: FULLTEXT, values: [toBooleanMode(query)] };
}

/** The condition that asks the full-text index. */
export function byIndex(query: SearchQuery): Sql {
  const parts = adjacencies(query).map(({ texts, isExcluded }) => not(isExcluded, holdsAny(texts, ALL)));
  return joined([relevance(query), ...parts], ' AND ');
}

/** The same condition, asked of the row itself: for words of so many rows that looking is faster than the index. */
export function byLooking({ clauses, excluded }: SearchQuery): Sql {
  const parts = [
    ...clauses.map((clause) => holdsAny(spelledTexts(clause), ALL)),
    ...excluded.map((clause) => not(true, holdsAny(spelledTexts(clause), ALL))),
  ];
  return joined(parts, ' AND ');
}

/** How many of the clauses a column answers. */
export function answered(clauses: readonly Clause[], column: Column): Sql {
  return joined(
    clauses.map((clause) => holdsAny(spelledTexts(clause), [column])),
    ' + ',
  );
}

/** Rows that may be seen; one condition for all types with the same statuses. */
export function visible(within: readonly SearchedType[]): Sql {
  const groups = new Map<string, { statuses: readonly Status[]; typeIds: number[] }>();
  for (const { typeId, statuses } of within) {
    const key = statuses.join();
    const group = groups.get(key) ?? { statuses, typeIds: [] };
    groups.set(key, { statuses, typeIds: [...group.typeIds, typeId] });
  }
  const parts = [...groups.values()].map(({ statuses, typeIds }) => ({
    text: `(status IN (${placeholders(statuses)}) AND type_id IN (${placeholders(typeIds)}))`,
    values: [...statuses, ...typeIds],
  }));
  const { text, values } = joined(parts, ' OR ');
  return { text: `(${text})`, values };
}

function holdsAny(texts: readonly string[], columns: readonly Column[]): Sql {
  const parts = columns.flatMap((column) =>
    texts.map((text) => ({ text: `INSTR(CONCAT(' ', ${column}, ' '), ?) > 0`, values: [text] })),
  );
  const { text, values } = joined(parts, ' OR ');
  return { text: `(${text})`, values };
}

function not(isNegated: boolean, { text, values }: Sql): Sql {
  return { text: isNegated ? `NOT ${text}` : text, values };
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}
