import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { TypeDefinition } from '../definition/content-type.js';
import type { TypeChanges } from '../definition/type-changes.js';
import { TypeUsageHost, type Position, type StoredValues } from '../store/type-usage.port.js';
import { requireLossless, typeInUse, checksOf, type Check, type Confirmation } from './lossy-changes.js';
import { TypeWatches, type Watch } from './type-watches.js';

/** Renewed several times within its lease. */
const RENEW_EVERY_MS = 30_000;
/** Rounds over what was written meanwhile; the rest is looked at while the type is locked. */
const MAX_ROUNDS = 100;

/** A change that is asked for, on the type as it was read. */
export interface PlannedChange {
  readonly before: TypeDefinition;
  readonly changes: TypeChanges;
  readonly confirmation: Confirmation;
}

/** The records of a type were looked at for a change, and what is written since is noted. */
export interface Inspection {
  /** The version that was looked at. */
  readonly version: number;
  /**
   * Looks at what was written since; the type is locked. Returns whether all of it is known: otherwise look again.
   *
   * @throws {DomainError} as {@link TypeInspections.inspect}
   */
  isComplete(manager: EntityManager): Promise<boolean>;
}

/**
 * Looks at all records of a type, and at their working copies, for a change that they might suffer from: outside of any unit of work, some at a time,
 * while requests are answered and records are written.
 */
@Injectable()
export class TypeInspections {
  constructor(
    private readonly host: TypeUsageHost,
    private readonly watches: TypeWatches,
  ) {}

  /** Tells whether a change needs a look at the records. */
  isNeeded({ changes, confirmation }: PlannedChange): boolean {
    return changes.joinsAddresses || checksOf(changes, confirmation, 0).length > 0;
  }

  /** Runs `work` while all writes of records of a type are noted. */
  async during<Result>(typeId: number, work: (watch: Watch) => Promise<Result>): Promise<Result> {
    const watch = await this.watches.begin(typeId);
    try {
      return await work(watch);
    } finally {
      await this.watches.end(watch);
    }
  }

  /** @throws {DomainError} `type_in_use` with the number of records; {ValidationError} values cannot change their kind */
  async inspect(watch: Watch, { before, changes, confirmation }: PlannedChange): Promise<Inspection> {
    const checks = checksOf(changes, confirmation, await this.host.get().count(before.id));
    const [known, unknown] = [checks.filter(isKnown), checks.filter((check) => !isKnown(check))];
    if (known.length > 0) lookAt(known, (await this.host.get().batch(before.id, null)).records);
    if (unknown.length > 0) await this.scan(watch, unknown);
    await this.scanCopies(watch, checks);
    requireLossless(before.name, changes, checks);
    const usage = this.host.get();
    if (changes.joinsAddresses) requireOwnAddresses(before, await usage.countNamesakes(before.id));
    // What repeats is found by the unique index from now on.
    const lasting = checks.filter(({ change }) => change !== 'unique');
    const look = async (ids: readonly number[], manager?: EntityManager): Promise<void> => {
      lookAt(lasting, await usage.some(ids, manager));
      await this.lookAtCopies(lasting, ids, manager);
      requireLossless(before.name, changes, lasting);
      if (changes.joinsAddresses) requireOwnAddresses(before, await usage.namesakesOf(ids, manager));
    };
    await this.catchUp(watch, look);
    return { version: before.version, isComplete: (manager) => this.isComplete(manager, watch, look) };
  }

  private async scan(watch: Watch, checks: readonly Check[]): Promise<void> {
    const usage = this.host.get();
    const goOn = this.pauseOf(watch);
    let last: Position | null = null;
    do {
      const batch = await usage.batch(watch.typeId, last);
      lookAt(checks, batch.records);
      last = batch.last;
      await goOn();
    } while (last);
  }

  private async scanCopies(watch: Watch, checks: readonly Check[]): Promise<void> {
    if (!checks.some(looksAtCopies)) return;
    const goOn = this.pauseOf(watch);
    for (let last: number | undefined = 0; last !== undefined;) {
      const ids = await this.host.copies().next(watch.typeId, last);
      await this.lookAtCopies(checks, ids);
      last = ids.at(-1);
      await goOn();
    }
  }

  /** A record is read only if its copy would suffer. */
  private async lookAtCopies(checks: readonly Check[], ids: readonly number[], manager?: EntityManager): Promise<void> {
    if (!checks.some(looksAtCopies)) return;
    for await (const copy of this.host.copies().some(ids, manager)) {
      const concerned = checks.filter((check) => check.concerns?.(copy));
      if (concerned.length === 0) continue;
      const records = await this.host.get().some([copy.id], manager);
      for (const record of records) for (const check of concerned) check.lookBehind?.(record);
    }
  }

  /** Lets requests in between two batches, and renews the watch in time. */
  private pauseOf(watch: Watch): () => Promise<void> {
    let renewedAt = performance.now();
    return async () => {
      // Where the database works in this very thread, an answer of it lets no request in.
      await turn();
      if (performance.now() - renewedAt < RENEW_EVERY_MS) return;
      await this.watches.renew(watch);
      renewedAt = performance.now();
    };
  }

  private async catchUp(watch: Watch, look: Look): Promise<void> {
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
      const ids = await this.watches.take(watch);
      // One by one, since each may have a megabyte.
      for (const id of ids) await look([id]);
      if (ids.length === 0) return;
    }
  }

  private async isComplete(manager: EntityManager, watch: Watch, look: Look): Promise<boolean> {
    for (let last = 0; ;) {
      const left = await this.watches.left(manager, watch, last);
      if (!left) return false;
      if (left.last === 0) return true;
      await look(left.recordIds, manager);
      last = left.last;
    }
  }
}

/** Looks at some records as they are committed or, inside a unit of work, as it sees them. */
type Look = (ids: readonly number[], manager?: EntityManager) => Promise<void>;

function requireOwnAddresses({ name }: TypeDefinition, records: number): void {
  if (records > 0) throw typeInUse(name, [{ field: 'url_path', change: 'address', records }]);
}

function isKnown(check: Check): boolean {
  return check.isKnown === true;
}

function looksAtCopies(check: Check): boolean {
  return check.concerns !== undefined;
}

function lookAt(checks: readonly Check[], records: readonly StoredValues[]): void {
  for (const record of records) for (const check of checks) check.look(record);
}
