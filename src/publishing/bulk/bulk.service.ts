import { versionTag } from '../../common/http/answer.js';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAllowed, type Caller, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ErrorName } from '../../common/errors/catalogue.js';
import { overloaded } from '../../common/errors/overloaded.js';
import { LOG } from '../../common/logging/logging.module.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import { asUnavailable } from '../../database/dialect/database-error.js';
import { RecordReader } from '../../records/reading/record-reader.js';
import { type RecordRow } from '../../records/rows/record-row.js';
import type { Skipped } from '../../records/written-records.js';
import type { BulkAction, BulkItem, BulkOrder } from './bulk-order.js';
import { BulkWrites, type Write } from './bulk-writes.js';

interface Done {
  readonly id: number;
  readonly ok: true;
  /** True if something was written. */
  readonly changed: boolean;
  readonly version: number | null;
  readonly status: Status | null;
  /** The status before, for an action that takes this one back. */
  readonly was: Pick<RecordRow, 'version' | 'status'>;
  /** The parts that it came back out of the trash without. */
  readonly skipped?: readonly Skipped[];
}

interface Failed {
  readonly id: number;
  readonly ok: false;
  readonly error: ErrorName;
  readonly message: string;
  readonly details?: readonly unknown[];
}

/** The result of each record of an order, in its order. */
export interface BulkAnswer {
  readonly data: readonly (Done | Failed)[];
  readonly meta: { readonly changed: number; readonly unchanged: number; readonly failed: number };
}

/** Scopes of which an action needs one. What it needs for a certain record is asked with that record. */
const SCOPES: Readonly<Record<BulkAction, readonly Scope[]>> = {
  publish: ['records:publish'],
  unpublish: ['records:publish'],
  archive: ['records:publish'],
  status: ['records:publish'],
  apply: ['records:update', 'records:update_own'],
  discard: ['records:update', 'records:update_own'],
  trash: ['records:delete'],
  restore: ['records:delete'],
  delete: ['records:delete'],
  add_terms: ['records:update', 'records:update_own'],
  remove_terms: ['records:update', 'records:update_own'],
};
/** Actions on what may be in the trash. */
const EVEN_TRASHED: ReadonlySet<BulkAction> = new Set(['restore', 'delete']);
/** The errors of a write of a record on which it was carried out before. */
const MAY_BE_DONE: ReadonlySet<ErrorName> = new Set(['version_conflict', 'record_not_found', 'draft_not_found']);
const BROKEN_OFF =
  'This request was broken off before, and may have done its work on this record then. Look at the record before you try again.';
/** The most looks at a record that others write all the time. */
const MOST_TRIES = 20;

/** Does one thing with many records: each by its ordinary write, one after the other, whatever becomes of the others. */
@Injectable()
export class BulkService implements OnModuleDestroy {
  private isStopping = false;

  constructor(
    private readonly reader: RecordReader,
    private readonly writes: BulkWrites,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** @throws {DomainError} `insufficient_scope`: the action is not for the caller, whatever the record */
  requireRight(type: CompiledType, { action }: BulkOrder, caller: Caller): void {
    const scopes = SCOPES[action];
    if (scopes.some((scope) => isAllowed(caller, scope, type.name))) return;
    throw insufficientScope(`This needs the scope ${scopes.join(' or ')}.`, scopes);
  }

  /**
   * @param isRepeated whether the same request was broken off before, with some of its records done
   * @throws {ValidationError} the terms do not fit the type
   */
  async carryOut(type: CompiledType, order: BulkOrder, caller: Caller, isRepeated: boolean): Promise<BulkAnswer> {
    const write = await this.writes.of(type, order);
    const data: (Done | Failed)[] = [];
    for (const item of order.items) data.push(await this.outcome(type, item, { ...order, caller, write, isRepeated }));
    const done = data.filter(({ ok }) => ok) as Done[];
    const changed = done.filter((one) => one.changed).length;
    return { data, meta: { changed, unchanged: done.length - changed, failed: data.length - done.length } };
  }

  /** One who has not said what version they mean means the one of the moment. */
  private async outcome(type: CompiledType, item: BulkItem, work: Work): Promise<Done | Failed> {
    for (let tries = 1; ; tries += 1) {
      try {
        if (this.isStopping) throw overloaded('The service stops.');
        return await this.attempt(type, item, work);
      } catch (error) {
        const isOvertaken = error instanceof DomainError && error.error === 'version_conflict';
        if (!isOvertaken || item.version !== undefined || tries === MOST_TRIES) return this.failure(error, item, work);
      }
    }
  }

  private failure(error: unknown, { id }: BulkItem, { isRepeated }: Work): Failed {
    const known = error instanceof DomainError ? error : asUnavailable(error);
    if (!known) this.log.error({ err: error, record: id }, 'a record of a bulk request failed');
    const failed = known ?? new DomainError('internal_error', 'Something went wrong on our side.');
    const { error: name, details } = failed;
    const message = isRepeated && MAY_BE_DONE.has(name) ? BROKEN_OFF : failed.message;
    return { id, ok: false, error: name, message, ...(details && { details }) };
  }

  /** On the version that is read first, so that what it was is known. */
  private async attempt(type: CompiledType, { id, version }: BulkItem, { action, caller, write }: Work): Promise<Done> {
    const reference = String(id);
    const row = await this.reader.require(type, reference, caller, { evenTrashed: EVEN_TRASHED.has(action) });
    const was = { version: row.version, status: row.status };
    const ifMatch = versionTag({ ...row, version: version ?? row.version });
    const after = await write({ reference, caller, ifMatch }, row);
    const changed = action === 'discard' || after?.version !== row.version;
    const { skipped } = after ?? {};
    const { version: left, status } = after ?? { version: null, status: null };
    return { id, ok: true, changed, version: left, status, was, ...(skipped && { skipped }) };
  }
}

interface Work {
  readonly isRepeated: boolean;
  readonly action: BulkAction;
  readonly caller: Caller;
  readonly write: Write;
}
