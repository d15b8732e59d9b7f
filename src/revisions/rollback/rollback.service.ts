import { Injectable } from '@nestjs/common';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import type { Answer } from '../../common/http/answer.js';
import type { Status } from '../../content-types/definition/content-type.js';
import { requirePublicChange, requireScope, requireTransition } from '../../records/rows/record-access.js';
import { RecordsService } from '../../records/records.service.js';
import { RevisionReader } from '../history/revision-reader.js';
import { RevisionsService, type HistoryOf } from '../revisions.service.js';
import { RollbackOutcome, type Made, type RolledBack } from './rollback-outcome.js';
import { RollbackPlanner } from './rollback-planner.js';
import type { RollbackRequest } from './rollback-selection.js';

/** A plan is made anew that often where another write takes a slug or a value between the plan and the write. */
const MAX_TRIES = 3;

/** Brings old states of records back, as ordinary new writes: history is never rewritten. */
@Injectable()
export class RollbackService {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly reader: RevisionReader,
    private readonly planner: RollbackPlanner,
    private readonly records: RecordsService,
    private readonly outcome: RollbackOutcome,
  ) {}

  /** @throws {DomainError} `record_not_found`, `revision_not_found`, `version_conflict`, `record_damaged`, `insufficient_scope`, … */
  async rollBack(
    of: HistoryOf & { readonly ifMatch?: string | undefined },
    text: string,
    request: RollbackRequest,
  ): Promise<Answer<RolledBack>> {
    // What a rollback answers, and what it refuses, discloses old states.
    requireScope(of.caller, 'revisions:read', of.type);
    const history = await this.revisions.historyOf(of);
    const { ts } = await this.reader.require(history, text);
    const snapshot = await this.reader.snapshot(history.recordId, ts);
    const { caller } = of;
    const target = { caller, reference: String(history.recordId), ifMatch: of.ifMatch };
    let made: Made | undefined;
    const row = await retried(() =>
      this.records.rewrite(of.type, target, async (type, present) => {
        const plan = await this.planner.plan({ type, row: present, snapshot, request, caller });
        requireTransition(caller, type, present.status, (plan.input.status as Status | undefined) ?? present.status);
        if (Object.keys(plan.input).length > 0) requirePublicChange(caller, type, present.status);
        made = { type, present, plan, ts, isDryRun: request.isDryRun };
        const replacesDamaged = request.fields === null && !request.isDryRun;
        return { input: request.isDryRun ? {} : plan.input, replacesDamaged, action: 'rollback', rollbackOf: ts };
      }),
    );
    if (!made) throw new Error('A rollback was written without a plan.');
    return this.outcome.of(made, row, caller);
  }
}

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !isTaken(error)) throw error;
    }
  }
}

/** Whether another record was quicker: the next plan will see it. */
function isTaken(error: unknown): boolean {
  if (error instanceof ValidationError) return error.faults.every(({ rule }) => rule === 'unique');
  return error instanceof DomainError && error.error === 'slug_taken';
}
