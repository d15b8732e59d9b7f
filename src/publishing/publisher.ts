import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../common/access/caller.js';
import type { Envelope } from '../common/envelope.js';
import { Answer, versionTag } from '../common/http/answer.js';
import type { CompiledType } from '../content-types/definition/content-type.js';
import { RecordReader } from '../records/reading/record-reader.js';
import { requirePublisher } from '../records/rows/record-access.js';
import { type RecordRow } from '../records/rows/record-row.js';
import { RecordsService, type Rewriting, type Target } from '../records/records.service.js';
import { requireWhole } from '../records/rows/whole-record.js';
import type { RecordView } from '../records/rows/record-views.js';
import { WrittenRecords } from '../records/written-records.js';
import { draftConflict, draftNotFound } from './copies/copy.errors.js';
import { WorkingCopies } from './copies/working-copies.service.js';
import type { PublishDto, UnpublishDto } from './publish.dto.js';

/** The part of a write that the working copy decides. */
type FoldedIn = Pick<Rewriting, 'input' | 'copyVersion'>;

type Written = Promise<Answer<Envelope<RecordView>>>;

/** Brings records before the public and withdraws them, each by one ordinary write. */
@Injectable()
export class Publisher {
  constructor(
    private readonly records: RecordsService,
    private readonly reader: RecordReader,
    private readonly copies: WorkingCopies,
    private readonly written: WrittenRecords,
  ) {}

  /**
   * Publishes a record with its working copy folded in; if there is none, one that is published stays as it is.
   *
   * @throws {ValidationError} the record as it would be does not fit the type
   * @throws {DomainError} `record_not_found`, `insufficient_scope`, `version_conflict`, `draft_not_found`,
   *   `draft_conflict`, `slug_taken`, `record_damaged`
   */
  async publish(type: CompiledType, target: Target, order: PublishDto): Promise<RecordRow> {
    const { row } = await this.records.rewrite(
      type,
      target,
      async (current, before) => {
        const folded = await this.foldedIn(current, before, target, order);
        const input = { ...folded?.input, status: 'published' };
        return { ...folded, input, action: 'publish' };
      },
      'publish',
    );
    return row;
  }

  /**
   * Folds the working copy of a record in; its status stays. What is public takes the right to publish, too.
   *
   * @throws {ValidationError} the working copy does not fit the type
   * @throws {DomainError} those of {@link publish}
   */
  async apply(type: CompiledType, target: Target, order: PublishDto): Promise<RecordRow> {
    const { row } = await this.records.rewrite(type, target, async (current, before) => {
      const folded = await this.foldedIn(current, before, target, order);
      if (folded === null) throw draftNotFound(current, before.id);
      return { ...folded, action: 'update' };
    });
    return row;
  }

  /**
   * Withdraws a record from the public. Its working copy stays.
   *
   * @throws {DomainError} `record_not_found`, `insufficient_scope`, `version_conflict`, `record_damaged`
   */
  async unpublish(type: CompiledType, target: Target, { to }: UnpublishDto): Promise<RecordRow> {
    const decide = (_: CompiledType, { status }: RecordRow): Promise<Rewriting> => {
      const input = { status: to ?? (status === 'published' ? 'draft' : status) };
      return Promise.resolve({ input });
    };
    const { row } = await this.records.rewrite(type, target, decide, 'publish');
    return row;
  }

  /**
   * The answer of a write once more, with the record as it is now.
   *
   * @throws {DomainError} `record_not_found`; `insufficient_scope`: it is public, and the caller may not publish any more
   */
  async again(type: CompiledType, id: number, caller: Caller): Written {
    const row = await this.reader.require(type, String(id), caller);
    requirePublisher(caller, type, row.status);
    return this.answer(type, row, caller);
  }

  /** The record as a write has left it. */
  async answer(type: CompiledType, row: RecordRow, caller: Caller): Written {
    const written = await this.written.changed(type, row, caller);
    return Answer.tagged(written, versionTag(row));
  }

  /** `null`: there is no working copy. */
  private async foldedIn(
    type: CompiledType,
    row: RecordRow,
    { caller }: Target,
    { draft_version: wanted }: PublishDto,
  ): Promise<FoldedIn | null> {
    const copy = await this.copies.forFolding(type, row, caller);
    if (copy === null) {
      if ((wanted ?? null) !== null) throw draftNotFound(type, row.id);
      return null;
    }
    if (wanted !== undefined && wanted !== copy.version) throw await this.copies.stale({ row, copy });
    const { input, conflicts } = await this.copies.outlook(type, row, copy);
    if (conflicts.length > 0) throw draftConflict(conflicts, isAllowed(caller, 'records:read', type.name));
    if (row.status === 'published') await requireWhole(type, row, input);
    await this.copies.requireTerms(input);
    await type.prepare(input, 'update');
    return { input: type.requireUpdate(input, row), copyVersion: copy.version };
  }
}
