import type { Clause, SearchQuery } from './query.js';

/** What finds nothing, and is no error. */
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

function expression(clause: Clause): string {
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
