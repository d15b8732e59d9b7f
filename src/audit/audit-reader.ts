import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type EntityManager } from 'typeorm';
import { writeCursor, type ListEnvelope } from '../common/envelope.js';
import type { ReadRepository } from '../database/statements/reads.js';
import { shownEvent, type AuthEventDto } from './auth-event.dto.js';
import { AuthEvent } from './auth-event.entity.js';
import type { AuditQuery } from './audit-query.js';

/** Shows the audit, newest first, page after page. Nothing is ever counted: there may be millions. */
@Injectable()
export class AuditReader {
  constructor(@InjectRepository(AuthEvent) private readonly events: ReadRepository<AuthEvent>) {}

  async page(query: AuditQuery): Promise<ListEnvelope<AuthEventDto>> {
    const { page, perPage, fingerprint } = query;
    const found = await this.find(query);
    const shown = found.slice(0, perPage);
    const last = found.length > perPage ? shown.at(-1) : undefined;
    return {
      data: shown.map(shownEvent),
      meta: {
        per_page: perPage,
        current_page: page,
        next_cursor: last ? writeCursor({ page: page + 1, after: [last.at, last.id] }, fingerprint) : null,
      },
    };
  }

  /** The last events about a user, newest first. */
  async last(userId: number, count: number): Promise<AuthEventDto[]> {
    const found = await this.events.find({ where: { userId }, order: { at: 'DESC', id: 'DESC' }, take: count });
    return found.map(shownEvent);
  }

  /** One more than the page has, which shows whether there is another page. */
  private find({ conditions, after, perPage }: AuditQuery): Promise<AuthEvent[]> {
    const select = this.events.createQueryBuilder('e').orderBy('e.at', 'DESC').addOrderBy('e.id', 'DESC');
    for (const [index, { sql, value }] of conditions.entries()) {
      select.andWhere(`e.${sql} :value${index}`, { [`value${index}`]: value });
    }
    // The first half leads into the index, the second one passes over what stands level.
    if (after) select.andWhere('e.at <= :at AND (e.at < :at OR e.id < :id)', { at: after[0], id: after[1] });
    return select.take(perPage + 1).getMany();
  }
}

/** Whether the audit knows of a session that a user has begun, which may be forgotten by now. */
export function hasBegunSession(manager: EntityManager, userId: number): Promise<boolean> {
  return manager.existsBy(AuthEvent, { userId, sessionId: Not(IsNull()), outcome: 'success' });
}
