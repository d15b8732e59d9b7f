import { Injectable } from '@nestjs/common';
import { CoalescedRuns } from '../../common/concurrency/coalesced-runs.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { Reads } from '../../database/statements/reads.js';
import type { Sql } from './conditions.js';
import type { ListScope, Walk } from './list-plan.js';
import { RecordCounts } from '../counting/record-counts.js';

/** Tests of rows that take some ten milliseconds of SQLite: as much as requests may be held up by one list. */
const SHORT = 5_000;

/**
 * Runs the statements of lists. Where the database works in the thread that answers requests, a statement that may go
 * through many rows is run apart; how many it may be, its plan and the counters say.
 */
@Injectable()
export class ListStatements {
  /** A page that many ask for at once, as a front page is, is read for all of them together. */
  private readonly shared = new CoalescedRuns<readonly unknown[]>();

  constructor(
    private readonly reads: Reads,
    private readonly counts: RecordCounts,
  ) {}

  async rows<Row>(scope: ListScope, walk: Walk, { text, values }: Sql): Promise<readonly Row[]> {
    const isLong = await this.isLong(scope, walk);
    const rows = await this.shared.run(JSON.stringify([text, values]), () =>
      isLong ? this.reads.selectLong(text, values) : this.reads.select(text, values),
    );
    return rows as readonly Row[];
  }

  async count(scope: ListScope, walk: Walk, statement: Sql): Promise<number> {
    const [row] = await this.rows<{ n: number }>(scope, walk, statement);
    return row?.n ?? 0;
  }

  private async isLong(scope: ListScope, { rows, passesHidden, tests, passesSubtree }: Walk): Promise<boolean> {
    if (!this.reads.holdsUpRequests) return false;
    if (passesSubtree) return true;
    if (rows !== null && !passesHidden) return rows * tests > SHORT;
    // Nothing counts what is in the trash.
    if (scope.isTrash) return true;
    const all = await this.counts.total(scope.type.id, STATUSES);
    if (all * tests <= SHORT) return false;
    if (rows === null) return true;
    const shown = await this.counts.total(scope.type.id, scope.statuses);
    return (rows + all - shown) * tests > SHORT;
  }
}
