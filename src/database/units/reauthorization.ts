import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAllowed, type Caller, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { UnitOfWork, type Consequence } from './unit-of-work.js';

/** Reads a caller in the unit of work and locks them. @throws {DomainError} `invalid_token`: the credential has ended */
export type ReadCaller = (manager: EntityManager, caller: Caller) => Promise<Caller>;

export interface Confirmation {
  readonly caller: Caller;
  /** The scope that the caller needs; `null`: any living credential is enough. */
  readonly scope: Scope | null;
  /** Locks that have to be taken before those on the caller. */
  readonly hold?: (manager: EntityManager) => Promise<void>;
}

/** Port to the credentials, for units of work that make lasting authority: those of a request may have ended since its guard. */
@Injectable()
export class Reauthorization {
  private read: ReadCaller | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  use(read: ReadCaller): void {
    this.read = read;
  }

  /**
   * The caller as they are in this unit of work. Callers without an id have nothing that could end.
   * @param scope what the caller needs; `null`: any living credential is enough
   * @throws {DomainError} `invalid_token`, `insufficient_scope`
   */
  async confirm(manager: EntityManager, caller: Caller, scope: Scope | null): Promise<Caller> {
    if (caller.id === null) return caller;
    if (!this.read) throw new Error('Nothing is registered that knows credentials.');
    const present = await this.read(manager, caller);
    if (scope !== null && !isAllowed(present, scope)) {
      throw insufficientScope(`The token lacks the scope ${scope}.`, [scope]);
    }
    return present;
  }

  /** {@link UnitOfWork.run} with the caller confirmed first. @throws {DomainError} `invalid_token`, `insufficient_scope` */
  run<Result>(
    { caller, scope, hold }: Confirmation,
    work: (manager: EntityManager, present: Caller) => Promise<Result>,
    consequence?: Consequence<Result>,
  ): Promise<Result> {
    return this.unitOfWork.run(async (manager) => {
      await hold?.(manager);
      return work(manager, await this.confirm(manager, caller, scope));
    }, consequence);
  }
}
