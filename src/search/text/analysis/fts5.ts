import type { Clause, SearchQuery } from '../queries/query.js';

/** An expression that finds nothing, and is no error. */
const NOTHING = '""';

/**
 * The expression for `MATCH` of FTS5. Terms are letters, digits and underscores only, and quoted, so nothing of what a
 * user typed can act as an operator. `'"cafe" AND ("stone" *) NOT "draft"'`
 */
export function toFts5({ clauses, excluded, isEmpty }: SearchQuery): string {
  if (isEmpty) return NOTHING;
  const wanted = clauses.map(expression).join(' AND ');
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excluded.map(expression).join(' OR ')})`;
}

/**
 * Hits of a query that have some of its parts in one column: `'(title : ("cafe")) AND ("cafe" AND "stone")'`. Where the
 * query is nothing else, that need not be asked twice.
 */
export function columnExpression(
  column: 'title' | 'terms',
  query: SearchQuery,
  clauses: readonly Clause[] = query.clauses,
): string {
  const inColumn = `(${column} : (${clauses.map(expression).join(' AND ')}))`;
  const isAll = clauses.length === query.clauses.length && query.excluded.length === 0;
  return isAll ? inColumn : `${inColumn} AND (${toFts5(query)})`;
}

export function expression(clause: Clause): string {
  switch (clause.kind) {
    case 'term':
      return quoted([clause.term], clause.isPrefix);
    case 'phrase':
      return quoted(clause.terms, clause.isPrefix);
    case 'any':
      return `(${clause.alternatives.map(expression).join(' OR ')})`;
  }
}

function quoted(terms: readonly string[], isPrefix: boolean): string {
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`;
}
