import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { Target } from '../../records/records.service.js';
import { requireUpdate } from '../../records/rows/record-access.js';
import type { RecordRow } from '../../records/rows/record-row.js';
import { RecordTerms } from '../../records/writing/record-terms.js';
import { Actors } from '../../records/rows/actors.js';
import { sentFields } from '../../records/writing/precondition.js';
import { stateOf } from '../../records/writing/record-state.js';
import { RecordWriter } from '../../records/writing/record-writer.js';
import { draftNotFound, matchesCopy, requireIfMatch } from './copy.errors.js';
import { CopyStore, deleteCopy, type CopyPlan, type SavedCopy } from './copy-store.js';
import { liveParts, merged, NO_CHANGES, sentParts, withKnown, type Overlay } from './overlay.js';
import { WorkingCopies } from './working-copies.service.js';
import type { CopiedRecord } from './working-copy.js';

/** The fate of the changes that a working copy has already: they stay beside the ones of a body, or make way for them. */
type EditMode = 'merge' | 'replace';

/** A change of a working copy. */
export interface EditOrder {
  readonly mode: EditMode;
  /**
   * The version of the record that the client has read. Fields that are sent again are based on the record as it is, so
   * it must be no other one by now. Absent: the client looks at conflicts before it sends a field again.
   */
  readonly recordVersion?: number;
}

/** A working copy that is to go. */
interface DiscardPlan {
  readonly version: number;
  readonly unchanged?: undefined;
}

/** Changes and discards working copies: the record, its history and its version stay as they are. */
@Injectable()
export class CopyEdits {
  constructor(
    private readonly copies: WorkingCopies,
    private readonly store: CopyStore,
    private readonly writer: RecordWriter,
    private readonly terms: RecordTerms,
    private readonly actors: Actors,
  ) {}

  /**
   * Keeps what is to become of a record.
   *
   * @throws {ValidationError} a value is not of the kind or size of its field, or a term is not there
   * @throws {DomainError} `record_not_found`, `insufficient_scope`, `precondition_required`, `version_conflict`,
   *   `payload_too_large`, `record_damaged`
   */
  async save(type: CompiledType, body: unknown, target: Target, order: EditOrder): Promise<SavedCopy> {
    const id = await this.copies.idOf(type, target);
    return this.writer.writeTo(
      id,
      type,
      (current) => this.edit(current, id, body, { ...order, ...target }),
      (attempt) => this.store.write(attempt),
    );
  }

  /** @throws {DomainError} `record_not_found`, `insufficient_scope`, `draft_not_found`, `version_conflict` */
  async discard(type: CompiledType, target: Target): Promise<void> {
    const id = await this.copies.idOf(type, target);
    await this.writer.writeTo(
      id,
      type,
      (current) => this.discarded(current, id, target),
      ({ manager, plan: { version } }) => deleteCopy(manager, id, version),
    );
  }

  private async edit(
    type: CompiledType,
    id: number,
    body: unknown,
    { caller, ifMatch, mode, recordVersion }: Target & EditOrder,
  ): Promise<CopyPlan> {
    const found = await this.copies.require(type, id, caller);
    await this.requireRight(type, found.row, caller);
    await type.prepare(body, 'draft');
    const input = type.requireDraft(body);
    if (!matchesCopy(requireIfMatch(ifMatch), found)) throw await this.stale(type, found, input);
    if (recordVersion !== undefined && recordVersion !== found.row.version)
      throw await this.copies.staleRecord(found, sentFields(type, found.row, input));
    const overlay = await this.edited(type, found, { input, mode, caller });
    return this.store.plan(type, { ...found, overlay, authorship: await this.actors.authorship(caller) });
  }

  private async discarded(type: CompiledType, id: number, { caller, ifMatch }: Target): Promise<DiscardPlan> {
    const found = await this.copies.require(type, id, caller, 'emptied');
    await this.requireRight(type, found.row, caller);
    if (found.copy === null) throw draftNotFound(type, id);
    if (ifMatch !== undefined && !matchesCopy(ifMatch, found)) throw await this.copies.stale(found);
    return { version: found.copy.version };
  }

  /** The overlay with the changes of a body. */
  private async edited(
    type: CompiledType,
    { row, copy }: CopiedRecord,
    { input, mode, caller }: { readonly input: RecordBody; readonly mode: EditMode; readonly caller: Caller },
  ): Promise<Overlay> {
    const live = stateOf(row);
    const terms = await this.terms.planned(type, input, caller, live.terms);
    const before = mode === 'merge' && copy !== null ? withKnown(type, copy.overlay) : NO_CHANGES;
    return merged(before, liveParts(live), sentParts(type, input, terms));
  }

  private async stale(type: CompiledType, found: CopiedRecord, input: RecordBody): Promise<DomainError> {
    const { row, copy } = found;
    const present = copy ? (await this.copies.outlook(type, row, copy)).row : row;
    return this.copies.stale(found, sentFields(type, present, input));
  }

  private async requireRight(type: CompiledType, row: RecordRow, caller: Caller): Promise<void> {
    requireUpdate(caller, type, row.created_by === (await this.actors.idOf(caller)));
  }
}
