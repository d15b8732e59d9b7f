import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Fault } from '../../common/errors/domain-error.js';
import { Answer, versionTag } from '../../common/http/answer.js';
import { timeText } from '../../common/text/time-text.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { type RecordRow } from '../../records/rows/record-row.js';
import type { Target } from '../../records/records.service.js';
import { type ActorView, Actors } from '../../records/rows/actors.js';
import type { RecordView } from '../../records/rows/record-views.js';
import { WrittenRecords } from '../../records/written-records.js';
import { copyTag } from './copy.errors.js';
import { CopyEdits, type EditOrder } from './copy-edits.js';
import { CopyFaults } from './copy-faults.js';
import type { Outlook } from './outlook.js';
import { WorkingCopies } from './working-copies.service.js';
import type { CopiedRecord, DraftedRecord, WorkingCopy } from './working-copy.js';

/** A working copy, as the API shows it. */
export interface DraftView {
  readonly version: number;
  readonly base_version: number;
  /** Names of what is to change. */
  readonly changed: readonly string[];
  readonly conflicts: readonly { readonly field: string; readonly base: unknown; readonly live: unknown }[];
  /** The faults that keep the record with its working copy from being public. */
  readonly faults: readonly Fault[];
  /** Names of tags that are to be made, by taxonomy. */
  readonly new_terms: Outlook['newTerms'];
  readonly created_at: string;
  readonly created_by: ActorView;
  readonly updated_at: string;
  readonly updated_by: ActorView;
}

/** A record as it would be. */
export interface DraftEnvelope {
  /** Absent where the client wants no more than `meta`. */
  readonly data?: RecordView;
  /** `null`: nothing is to change. */
  readonly meta: { readonly draft: DraftView | null };
}

/** A record as it would be, and its working copy. */
interface Drafted {
  readonly type: CompiledType;
  readonly shown: RecordRow;
  readonly draft: DraftView;
}

/** The way in which a working copy is saved and answered. */
export interface SaveOrder extends EditOrder {
  /** True if the record with its working copy is left out of the answer (`Prefer: return=minimal`). */
  readonly isMinimal: boolean;
}

/** The answers about working copies. */
@Injectable()
export class CopyAnswers {
  constructor(
    private readonly copies: WorkingCopies,
    private readonly edits: CopyEdits,
    private readonly faults: CopyFaults,
    private readonly written: WrittenRecords,
    private readonly actors: Actors,
  ) {}

  async read(type: CompiledType, target: Target): Promise<Answer<DraftEnvelope>> {
    const found = await this.copies.requireCopy(type, await this.copies.idOf(type, target), target.caller);
    return answerOf(found, await this.envelope(type, found, target.caller));
  }

  async save(
    type: CompiledType,
    body: unknown,
    target: Target,
    { isMinimal, ...order }: SaveOrder,
  ): Promise<Answer<DraftEnvelope>> {
    const saved = await this.edits.save(type, body, target, order);
    const { data, meta } = await this.envelope(saved.type, saved, target.caller, isMinimal);
    const path = saved.isNew ? `/api/cms/${type.name}/${saved.row.id}/draft` : undefined;
    return answerOf(saved, data === undefined ? { meta } : { data, meta }, path);
  }

  private async envelope(
    type: CompiledType,
    { row, copy }: CopiedRecord,
    caller: Caller,
    isMinimal = false,
  ): Promise<DraftEnvelope> {
    const [drafted] = copy ? await this.drafted([{ type, row, copy }], caller) : [];
    const { shown, draft } = drafted ?? { shown: row, draft: null };
    if (isMinimal) return { meta: { draft } };
    const { data } = await this.written.created(type, shown);
    return { data, meta: { draft } };
  }

  /** Records as they would be, and their working copies, in the same order. */
  async drafted(found: readonly DraftedRecord[], caller: Caller): Promise<readonly Drafted[]> {
    await this.actors.load(new Set(found.flatMap(({ copy }) => [copy.createdBy, copy.updatedBy])));
    const looked = await this.copies.outlooks(found);
    return Promise.all(
      looked.map(async ({ type, row, copy, outlook }) => {
        const faults = await this.faults.of(type, row, outlook.input, caller);
        return { type, shown: outlook.row, draft: this.view(copy, outlook, faults) };
      }),
    );
  }

  private view(copy: WorkingCopy, outlook: Outlook, faults: readonly Fault[]): DraftView {
    return {
      version: copy.version,
      base_version: copy.baseVersion,
      changed: outlook.changed.map(({ name }) => name),
      conflicts: outlook.conflicts.map(({ name: field, base, live }) => ({ field, base, live })),
      faults,
      new_terms: outlook.newTerms,
      created_at: timeText(copy.createdAt),
      created_by: this.actors.view(copy.createdBy),
      updated_at: timeText(copy.updatedAt),
      updated_by: this.actors.view(copy.updatedBy),
    };
  }
}

/** @param path where something new is */
function answerOf({ row, copy }: CopiedRecord, body: DraftEnvelope, path?: string): Answer<DraftEnvelope> {
  const tag = copy ? copyTag(copy.version) : versionTag(row);
  if (path !== undefined) return Answer.created(body, path, tag);
  // Not conditional: what it shows changes with the record too, which the validator does not say.
  return Answer.tagged(body, tag);
}
