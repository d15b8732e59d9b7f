import { Injectable } from '@nestjs/common';
import { isAllowed, type Caller } from '../../common/access/caller.js';
import { ValidationError, type DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { RecordReader } from '../../records/reading/record-reader.js';
import type { Target } from '../../records/records.service.js';
import { Actors } from '../../records/rows/actors.js';
import { requireScope } from '../../records/rows/record-access.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { draftNotFound, staleCopy, staleRecord } from './copy.errors.js';
import { CopyStore } from './copy-store.js';
import { CopyTerms } from './copy-terms.js';
import { outlookOf, type Outlook } from './outlook.js';
import type { CopiedRecord, DraftedRecord, WorkingCopy } from './working-copy.js';

/** Finds working copies, and what would become of their records. They are there only for those who see drafts. */
@Injectable()
export class WorkingCopies {
  constructor(
    private readonly reader: RecordReader,
    private readonly store: CopyStore,
    private readonly terms: CopyTerms,
    private readonly actors: Actors,
  ) {}

  /** The id of the record that is named. */
  idOf(type: CompiledType, target: Target): Promise<number> {
    return this.reader.idOf(type, target);
  }

  /**
   * A record with its working copy.
   *
   * @param damaged what becomes of a copy that cannot be read
   * @throws {DomainError} `record_not_found`, `insufficient_scope`: may not read records or drafts, `record_damaged`
   */
  async require(
    type: CompiledType,
    id: number,
    caller: Caller,
    damaged?: 'refused' | 'emptied',
  ): Promise<CopiedRecord> {
    const row = await this.reader.require(type, String(id), caller);
    requireScope(caller, 'records:read', type);
    requireScope(caller, 'drafts:read', type);
    return { row, copy: await this.store.find(id, damaged) };
  }

  /** @throws {DomainError} `draft_not_found`, and those of {@link require} */
  async requireCopy(
    type: CompiledType,
    id: number,
    caller: Caller,
  ): Promise<CopiedRecord & { readonly copy: WorkingCopy }> {
    const { row, copy } = await this.require(type, id, caller);
    if (copy === null) throw draftNotFound(type, id);
    return { row, copy };
  }

  /** The working copy that a caller folds in who publishes a record; `null`: there is none for them. */
  async forFolding(type: CompiledType, { id }: RecordRow, caller: Caller): Promise<WorkingCopy | null> {
    return isAllowed(caller, 'drafts:read', type.name) ? this.store.find(id) : null;
  }

  /** The outlook of a record with its working copy. */
  async outlook(type: CompiledType, row: RecordRow, { overlay }: Pick<WorkingCopy, 'overlay'>): Promise<Outlook> {
    const [current = overlay] = await this.terms.current([overlay]);
    return outlookOf(type, row, current);
  }

  /** {@link outlook} of several records, in the same order. */
  async outlooks(found: readonly DraftedRecord[]): Promise<readonly (DraftedRecord & { readonly outlook: Outlook })[]> {
    const current = await this.terms.current(found.map(({ copy }) => copy.overlay));
    return found.map((one, at) => ({ ...one, outlook: outlookOf(one.type, one.row, current[at] ?? one.copy.overlay) }));
  }

  /** @throws {ValidationError} a term of a body, which has those of today, is gone */
  async requireTerms(body: RecordBody): Promise<void> {
    const faults = await this.terms.faults(body);
    if (faults.length > 0) throw new ValidationError(faults);
  }

  /** The refusal of who knows an earlier version. @param fields what the sent fields hold by now */
  async stale(found: CopiedRecord, fields?: Readonly<Record<string, unknown>>): Promise<DomainError> {
    const by = found.copy?.updatedBy ?? found.row.updated_by;
    await this.actors.load(new Set([by]));
    return staleCopy(found, this.actors.view(by), fields);
  }

  /** The refusal of who knows the copy and an earlier version of the record. @param fields what the record holds by now */
  async staleRecord(found: CopiedRecord, fields: Readonly<Record<string, unknown>>): Promise<DomainError> {
    const by = found.row.updated_by;
    await this.actors.load(new Set([by]));
    return staleRecord(found, this.actors.view(by), fields);
  }
}
