import { Injectable } from '@nestjs/common';
import type { Envelope } from '../../common/envelope.js';
import { Answer, versionTag } from '../../common/http/answer.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { requirePublisher, requireScope } from '../../records/rows/record-access.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { RecordsService, type Target } from '../../records/records.service.js';
import { WrittenRecords } from '../../records/written-records.js';
import { RevisionsService } from '../revisions.service.js';
import type { Change } from '../snapshots/snapshot-diff.js';
import { RollbackPlanner } from './rollback-planner.js';
import type { RollbackRequest } from './rollback-selection.js';
import type { RollbackNotes } from './rollback-values.js';

/** The result of a rollback, or of its dry run. */
interface RollbackMeta extends RollbackNotes {
  readonly ts: number;
  readonly dry_run: boolean;
  /** Names of what has changed. */
  readonly restored: readonly string[];
  /** The changes of a dry run. */
  readonly changes?: readonly Change[];
}

export interface RolledBack extends Envelope<RecordView> {
  readonly meta: { readonly rollback: RollbackMeta };
}

/** Brings old states of records back, as ordinary new writes: history is never rewritten. */
@Injectable()
export class RollbackService {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly planner: RollbackPlanner,
    private readonly records: RecordsService,
    private readonly written: WrittenRecords,
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
    const { recordId, ts, snapshot } = await this.revisions.stateAt(type, target, text);
    const { isDryRun } = request;
    const { row, rewriting } = await this.records.rewrite(
      type,
      { ...target, reference: String(recordId) },
      async (current, present) => {
        const plan = await this.planner.plan({ type: current, row: present, snapshot, request, caller });
        const status = (plan.input.status as Status | undefined) ?? present.status;
        if (Object.keys(plan.input).length > 0) requirePublisher(caller, current, present.status, status);
        const input = isDryRun ? {} : plan.input;
        // Where another write takes a slug or a value between the plan and the write, the next plan will see it.
        return {
          input,
          action: 'rollback' as const,
          rollbackOf: ts,
          givesWay: 'all',
          made: { current, present, plan },
        };
      },
    );
    const { current, present, plan } = rewriting.made;
    const { kept, skipped } = plan.notes;
    const { terms: _, ...rest } = plan.input;
    const restored = [...Object.keys(rest), ...Object.keys(plan.terms)];
    const changes = isDryRun ? { changes: await this.planner.changes(plan, current, present) } : {};
    const { data } = await this.written.changed(current, row, caller, plan.input);
    const rollback = { ts, dry_run: isDryRun, restored, kept, skipped, ...changes };
    return Answer.tagged({ data, meta: { rollback } }, versionTag(row));
  }
}
