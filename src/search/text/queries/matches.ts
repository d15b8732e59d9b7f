import type { Clause, SearchQuery } from './query.js';

/** Whether a record with such columns, as `indexText` writes them, answers a query: what every engine must agree with. */
export function matches({ clauses, excluded, isEmpty }: SearchQuery, columns: readonly string[]): boolean {
  const padded = columns.map((column) => ` ${column} `);
  const holds = (clause: Clause) => runningTexts(clause).some((text) => padded.some((column) => column.includes(text)));
  return !isEmpty && clauses.every(holds) && !excluded.some(holds);
}

/** What a clause looks for in `' ' + column + ' '`, one text of several. `' wi_ fi'` finds `wi_ find` as well. */
export function runningTexts(clause: Clause): string[] {
  if (clause.kind === 'any') return clause.alternatives.flatMap(runningTexts);
  const terms = clause.kind === 'term' ? clause.term : clause.terms.join(' ');
  return [` ${terms}${clause.isPrefix ? '' : ' '}`];
}
