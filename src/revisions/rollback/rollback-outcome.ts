import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import type { Envelope } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { versionTag, termIdsOf, type RecordRow } from '../../records/rows/record-row.js';
import { laterThan } from '../../records/rows/actors.js';
import { mergedState, stateOf } from '../../records/writing/record-state.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { WrittenRecords } from '../../records/written-records.js';
import { TermsService } from '../../taxonomy/terms/terms.service.js';
import type { RollbackNotes } from './rollback-notes.js';
import type { RollbackPlan } from './rollback-planner.js';
import { changesBetween, type Change } from '../snapshots/snapshot-diff.js';
import { snapshotOf, type SnapshotTerm } from '../snapshots/snapshot.js';

/** What a rollback did, or would do. */
interface RollbackMeta {
  readonly ts: number;
  readonly dry_run: boolean;
  /** Names of what has changed. */
  readonly restored: readonly string[];
  readonly kept: RollbackNotes['kept'];
  readonly skipped: RollbackNotes['skipped'];
  /** Of a dry run. */
  readonly changes?: readonly Change[];
}

export interface RolledBack extends Envelope<RecordView> {
  readonly meta: { readonly rollback: RollbackMeta };
}

/** What was decided last, on which state. */
interface Made {
  readonly type: CompiledType;
  readonly present: RecordRow;
  readonly plan: RollbackPlan;
  /** Of the revision that was brought back. */
  readonly ts: number;
  readonly isDryRun: boolean;
}

/** The answer to a rollback. */
@Injectable()
export class RollbackOutcome {
  constructor(
    private readonly written: WrittenRecords,
    private readonly terms: TermsService,
    private readonly clock: Clock,
  ) {}

  async of(made: Made, row: RecordRow, caller: Caller): Promise<Answer<RolledBack>> {
    const { ts, isDryRun, plan } = made;
    const { input, notes, terms } = plan;
    const { terms: _, ...rest } = input;
    const rollback = {
      ts,
      dry_run: isDryRun,
      restored: [...Object.keys(rest), ...Object.keys(terms)],
      kept: notes.kept,
      skipped: notes.skipped,
      ...(isDryRun ? { changes: await this.changes(made) } : {}),
    };
    const { data } = await this.written.changed(made.type, row, caller, input);
    // Either state may be long.
    return Answer.tagged({ data, meta: { rollback } }, versionTag(row), { isLong: true });
  }

  private async changes({ type, present, plan }: Made): Promise<Change[]> {
    const before = stateOf(present);
    const terms = await this.terms.byIds(termIdsOf(before.terms));
    const names = new Map<number, SnapshotTerm>(
      [...terms].map(([asked, { id, slug, name }]) => [asked, { id, slug, name }]),
    );
    const now = laterThan(present, this.clock.now());
    const from = snapshotOf(type, before, names);
    const after = snapshotOf(type, mergedState(type, present, plan.input, now), names);
    return changesBetween(type, from, { ...after, terms: { ...after.terms, ...plan.terms } });
  }
}
