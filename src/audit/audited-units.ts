import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller, Scope } from '../common/access/caller.js';
import type { Visitor } from '../common/access/visitor.js';
import { Reauthorization } from '../database/units/reauthorization.js';
import type { Consequence } from '../database/units/unit-of-work.js';
import { Audit } from './audit.js';
import type { AuditDetails, AuditEventName } from './audit-event.js';

interface AuditedCaller {
  readonly caller: Caller;
  readonly scope: Scope;
  readonly visitor?: Visitor | null | undefined;
}

/** Writes an event by the caller in the unit of work that it is about. */
export type AddEvent = (event: AuditEventName, details: AuditDetails) => Promise<void>;

/** Units of work of a confirmed caller, with their events in the audit. */
@Injectable()
export class AuditedUnits {
  constructor(
    private readonly reauthorization: Reauthorization,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_token`, `insufficient_scope` */
  run<Result>(
    { caller, scope, visitor = null }: AuditedCaller,
    work: (manager: EntityManager, add: AddEvent) => Promise<Result>,
    consequence?: Consequence<Result>,
  ): Promise<Result> {
    const attempted = (manager: EntityManager, actor: Caller): Promise<Result> =>
      work(manager, (event, details) =>
        this.audit.add(manager, { event, outcome: 'success', actor, visitor, details }),
      );
    return this.reauthorization.run({ caller, scope }, attempted, consequence);
  }
}
