import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { Target } from '../../records/records.service.js';
import { requireUpdate } from '../../records/rows/record-access.js';
import type { NarrowRow } from '../../records/rows/record-row.js';
import { RecordTerms } from '../../records/terms/record-terms.js';
import { Authorships } from '../../records/writing/authorships.js';
import { sentFields } from '../../records/writing/precondition.js';
import { requireSize, stateOf } from '../../records/writing/record-state.js';
import { RecordWriter } from '../../records/writing/record-writer.js';
import { draftNotFound, matchesCopy, requireIfMatch } from './copy.errors.js';
import { CopyStore } from './copy-store.js';
import { outlookOf } from './outlook.js';
import { merged, NO_CHANGES, type Overlay } from './overlay.js';
import { liveParts, sentParts, withKnown } from './record-parts.js';
import { WorkingCopies } from './working-copies.service.js';
import type { CopiedRecord } from './working-copy.js';

/** What becomes of the changes that a working copy has already: they stay beside those of a body, or make way for them. */
type EditMode = 'merge' | 'replace';

/** How a working copy is changed. */
export interface EditOrder {
  readonly mode: EditMode;
  /**
   * The version of the record that the client has read. Fields that are sent again are based on the record as it is, so
   * it must be no other one by now. Absent: the client looks at conflicts before it sends a field again.
   */
  readonly recordVersion?: number;
}

/** A working copy that was saved. */
export interface SavedCopy extends CopiedRecord {
  /** The type that the body was checked against. */
  readonly type: CompiledType;
  readonly isNew: boolean;
}

/** Changes and discards working copies: the record, its history and its version stay as they are. */
@Injectable()
export class CopyEdits {
  constructor(
    private readonly copies: WorkingCopies,
    private readonly store: CopyStore,
    private readonly writer: RecordWriter,
    private readonly terms: RecordTerms,
    private readonly authorships: Authorships,
  ) {}

  /**
   * Keeps what is to become of a record.
   *
   * @throws {ValidationError} a value is not of the kind or size of its field, or a term is not there
   * @throws {DomainError} `record_not_found`, `insufficient_scope`, `precondition_required`, `version_conflict`,
   *   `payload_too_large`, `record_damaged`
   */
  async save(
    type: CompiledType,
    body: unknown,
    target: Target,
    { mode, recordVersion }: EditOrder,
  ): Promise<SavedCopy> {
    const { caller, ifMatch } = target;
    const id = await this.copies.idOf(type, target);
    return this.writer.writeTo(id, type, async (current) => {
      const found = await this.copies.require(current, id, caller);
      await this.requireRight(current, found.row, caller);
      await current.prepare(body, 'draft');
      const input = current.requireDraft(body);
      const isKnown = recordVersion === undefined || recordVersion === found.row.version;
      if (!matchesCopy(requireIfMatch(ifMatch), found) || !isKnown) throw await this.stale(current, found, input);
      return this.kept(current, found, await this.edited(current, found, { input, mode, caller }), caller);
    });
  }

  /** @throws {DomainError} `record_not_found`, `insufficient_scope`, `draft_not_found`, `version_conflict` */
  async discard(type: CompiledType, target: Target): Promise<void> {
    const { caller, ifMatch } = target;
    const id = await this.copies.idOf(type, target);
    await this.writer.writeTo(id, type, async (current) => {
      const found = await this.copies.requireHead(current, id, caller);
      await this.requireRight(current, found.row, caller);
      if (found.copy === null) throw draftNotFound(current, id);
      if (ifMatch !== undefined && !matchesCopy(ifMatch, found)) throw await this.copies.stale(found);
      await this.store.delete(current, id, found.copy.version);
    });
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

  private async kept(type: CompiledType, found: CopiedRecord, overlay: Overlay, caller: Caller): Promise<SavedCopy> {
    const { row, copy } = found;
    if (isSameJson(overlay, copy?.overlay ?? NO_CHANGES)) return { type, row, copy, isNew: false };
    if (Object.keys(overlay.changes).length === 0) {
      if (copy !== null) await this.store.delete(type, row.id, copy.version);
      return { type, row, copy: null, isNew: false };
    }
    requireSize(type, stateOf(outlookOf(type, row, overlay).row), stateOf(row));
    const authorship = await this.authorships.of(caller);
    const next = await this.store.save(type, { row, copy, overlay, authorship });
    return { type, row, copy: next, isNew: copy === null };
  }

  private async stale(type: CompiledType, found: CopiedRecord, input: RecordBody): Promise<DomainError> {
    const { row, copy } = found;
    const present = copy ? (await this.copies.outlook(type, row, copy)).row : row;
    return this.copies.stale(found, sentFields(type, present, input));
  }

  private async requireRight(type: CompiledType, row: NarrowRow, caller: Caller): Promise<void> {
    requireUpdate(caller, type, await this.authorships.isBy(row.created_by, caller));
  }
}
