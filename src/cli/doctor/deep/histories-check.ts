import type { SqlValue } from '../../../database/statements/statement.js';
import { checkHistories, type DamagedRevision, type HistoryReport } from '../../../revisions/history/history-check.js';
import type { Check, OpenDatabase, CheckResult } from '../check.js';

/** Whether every revision still is what was written. */
export const historiesCheck: Check<OpenDatabase> = {
  name: 'histories',
  isDeep: true,
  async look({ source, dialect }) {
    const select = <Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> =>
      source.query<Row[]>(sql, [...values]);
    return seen(await checkHistories({ select }, dialect));
  },
};

function seen({ revisions, damaged, examples }: HistoryReport): readonly CheckResult[] {
  if (damaged === 0) return [{ ok: true, message: `${revisions} revisions are whole` }];
  const shown = damaged > examples.length ? `, of which the first ${examples.length} are named here` : '';
  const message = `${damaged} of ${revisions} revisions are damaged${shown}. The records themselves are not; a backup has what they were.`;
  return [{ ok: false, message }, ...examples.map((one) => ({ ok: false, message: placeOf(one) }))];
}

function placeOf({ recordId, type, ts, reason }: DamagedRevision): string {
  return `${type ?? 'record'}/${recordId}/revisions/${ts}: ${reason}`;
}
