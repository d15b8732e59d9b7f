import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller } from '../../common/access/caller.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { select } from '../../database/statements/statement.js';
import { TermUsageHost, type TermUsage } from '../../taxonomy/terms/term-usage.port.js';
import { isReadable } from '../rows/record-access.js';
import { RecordCounts } from '../counting/record-counts.js';
import { TERMS_KEY } from '../rows/record-row.js';
import { latestWrite } from '../rows/record-portions.js';
import { visibleTerms } from '../writing/record-terms.js';
import { TermReplacement } from './term-replacement.js';

/** Answers the taxonomy about the records that hold its terms. */
@Injectable()
export class RecordTermUsage implements TermUsage, OnModuleInit {
  constructor(
    private readonly host: TermUsageHost,
    private readonly types: ContentTypesService,
    private readonly counters: RecordCounts,
    private readonly replacement: TermReplacement,
  ) {}

  onModuleInit(): void {
    this.host.use(this);
  }

  async counts(termIds: readonly number[], caller: Caller): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for (const { termId, typeId, status, n } of await this.counters.ofTerms(termIds)) {
      const type = await this.types.byId(typeId);
      if (type && isReadable(caller, type, status)) counts.set(termId, (counts.get(termId) ?? 0) + n);
    }
    return new Map([...counts].filter(([, n]) => n > 0));
  }

  async visibleTerms(caller: Caller): Promise<Condition | null> {
    return visibleTerms(caller, await this.types.all());
  }

  async isUsed(manager: EntityManager, termId: number): Promise<boolean> {
    const sql = 'SELECT record_id FROM record_fields WHERE field_id = ? AND num = ? LIMIT 1';
    return (await select(manager, sql, [TERMS_KEY, termId])).length > 0;
  }

  latestWrite(manager: EntityManager): Promise<number> {
    return latestWrite(manager);
  }

  replace(termId: number, into: number | null, caller: Caller): Promise<void> {
    return this.replacement.replace(termId, into, caller);
  }
}
