import { Injectable } from '@nestjs/common';
import { pageMeta, type Envelope, type ListEnvelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { asSent, PAGE, readQuery } from '../common/http/url-query.js';
import { STATUSES, type CompiledType } from '../content-types/definition/content-type.js';
import type { Target } from '../records/records.service.js';
import { Actors } from '../records/rows/actors.js';
import { visibleStatuses } from '../records/rows/record-access.js';
import { RecordReader } from '../records/reading/record-reader.js';
import { changedIn, RevisionReader, type History, type RevisionRow } from './history/revision-reader.js';
import {
  headOf,
  revisionView,
  snapshotView,
  type DiffView,
  type RevisionView,
  type WholeRevisionView,
} from './revision-view.js';
import { changesBetween } from './snapshots/snapshot-diff.js';
import type { Snapshot } from './snapshots/snapshot.js';

const PAGE_PARAMETERS = { ...PAGE, locale: asSent };

/** Shows the history of records. A caller that may not see drafts sees no state that was one. */
@Injectable()
export class RevisionsService {
  constructor(
    private readonly records: RecordReader,
    private readonly revisions: RevisionReader,
    private readonly actors: Actors,
  ) {}

  /** @throws {DomainError} `record_not_found`, `invalid_query` */
  async list(type: CompiledType, target: Target, query: URLSearchParams): Promise<Answer<ListEnvelope<RevisionView>>> {
    const { page, per_page: perPage } = readQuery(query, PAGE_PARAMETERS);
    const history = await this.historyOf(type, target);
    const { rows, total, newest, olderVersions } = await this.revisions.page(history, { page, perPage });
    await this.actors.load(new Set(rows.map(({ actor_id: actor }) => actor)));
    return Answer.hashed({
      data: rows.map((row, at) => this.view(history, row, { newest, before: olderVersions[at] ?? 0 })),
      meta: pageMeta(total, { page, perPage }),
    });
  }

  /** @throws {DomainError} `record_not_found`, `revision_not_found`, `ambiguous_revision` */
  async one(
    type: CompiledType,
    target: Target,
    ts: string,
    query: URLSearchParams,
  ): Promise<Answer<Envelope<WholeRevisionView>>> {
    readQuery(query, { locale: asSent });
    const history = await this.historyOf(type, target);
    const row = await this.revisions.require(history, ts);
    const [newest, before, snapshot] = await Promise.all([
      this.revisions.newest(history),
      this.revisions.before(history, row.ts),
      this.revisions.snapshot(history, row.ts),
      this.actors.load(new Set([row.actor_id])),
    ]);
    const view = this.view(history, row, { newest: newest?.ts ?? row.ts, before: before?.version ?? 0 });
    return Answer.hashed({ data: { ...view, snapshot: snapshotView(snapshot) } });
  }

  /**
   * Compares two revisions, the older one with the newer one.
   *
   * @param query `against`: `previous` (the default), `current`, or what a path may call a revision
   */
  async diff(
    type: CompiledType,
    target: Target,
    ts: string,
    query: URLSearchParams,
  ): Promise<Answer<Envelope<DiffView>>> {
    const { against } = readQuery(query, { against: asSent, locale: asSent });
    const history = await this.historyOf(type, target);
    const row = await this.revisions.require(history, ts);
    const other = await this.otherOf(history, row, against ?? 'previous');
    const [from, to] = other === null || other.ts <= row.ts ? [other, row] : [row, other];
    const [before, after] = await Promise.all([
      from && this.revisions.snapshot(history, from.ts),
      this.revisions.snapshot(history, to.ts),
    ]);
    const changes = await changesBetween(type, before, after);
    return Answer.hashed({ data: { from: from && headOf(from), to: headOf(to), changes } });
  }

  /**
   * The state of a record at a revision.
   *
   * @throws {DomainError} `record_not_found`, `revision_not_found`, `ambiguous_revision`, `revision_damaged`
   */
  async stateAt(
    type: CompiledType,
    target: Target,
    text: string,
  ): Promise<{ recordId: number; ts: number; snapshot: Snapshot }> {
    const history = await this.historyOf(type, target);
    const { ts } = await this.revisions.require(history, text);
    return { recordId: history.recordId, ts, snapshot: await this.revisions.snapshot(history, ts) };
  }

  /** The history that a path names, as far as the caller may see it. */
  private async historyOf(type: CompiledType, { reference, caller, locale = null }: Target): Promise<History> {
    const { id } = await this.records.require(type, reference, caller, { locale });
    return { recordId: id, statuses: visibleStatuses(caller, type) };
  }

  /** @param before version of the next older revision that the caller sees; 0: there is none */
  private view(
    { statuses }: History,
    row: RevisionRow,
    { newest, before }: { readonly newest: number; readonly before: number },
  ): RevisionView {
    const isAllSeen = statuses.length === STATUSES.length;
    // Who does not see the state before this one does not learn of it by what differs from it.
    // One that does not say what it changed is shown without that: the others of its record must not be lost with it.
    const changed = isAllSeen || before === row.version - 1 ? (changedIn(row.changed) ?? []) : null;
    return revisionView(row, { author: this.actors.view(row.actor_id), newest, changed, isAllSeen });
  }

  private otherOf(history: History, row: RevisionRow, against: string): Promise<RevisionRow | null> {
    if (against === 'previous') return this.revisions.before(history, row.ts);
    if (against === 'current') return this.revisions.newest(history);
    return this.revisions.require(history, against);
  }
}
