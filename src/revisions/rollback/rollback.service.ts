import { Injectable } from '@nestjs/common';
import type { Answer } from '../../common/http/answer.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { requirePublicChange, requireScope, requireTransition } from '../../records/rows/record-access.js';
import { RecordsService, type Target } from '../../records/records.service.js';
import { RevisionReader } from '../history/revision-reader.js';
import { RevisionsService } from '../revisions.service.js';
import { RollbackOutcome, type RolledBack } from './rollback-outcome.js';
import { RollbackPlanner } from './rollback-planner.js';
import type { RollbackRequest } from './rollback-selection.js';

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
    type: CompiledType,
    target: Target,
    text: string,
    request: RollbackRequest,
  ): Promise<Answer<RolledBack>> {
    // What a rollback answers, and what it refuses, discloses old states.
    const { caller } = target;
    requireScope(caller, 'revisions:read', type);
    const history = await this.revisions.historyOf(type, target);
    const { ts } = await this.reader.require(history, text);
    const snapshot = await this.reader.snapshot(history, ts);
    const { isDryRun } = request;
    const { row, rewriting } = await this.records.rewrite(
      type,
      { ...target, reference: String(history.recordId) },
      async (current, present) => {
        const plan = await this.planner.plan({ type: current, row: present, snapshot, request, caller });
        requireTransition(caller, current, present.status, (plan.input.status as Status | undefined) ?? present.status);
        if (Object.keys(plan.input).length > 0) requirePublicChange(caller, current, present.status);
        const made = { type: current, present, plan, ts, isDryRun };
        const input = isDryRun ? {} : plan.input;
        // Where another write takes a slug or a value between the plan and the write, the next plan will see it.
        return { input, action: 'rollback' as const, rollbackOf: ts, givesWay: 'all', made };
      },
    );
    return this.outcome.of(rewriting.made, row, caller);
  }
}
