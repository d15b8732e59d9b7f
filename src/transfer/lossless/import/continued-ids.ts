import { Injectable } from '@nestjs/common';
import { MAX_ID } from '../../../common/id.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import { nextIdOf, raiseNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { MentionedIds } from '../../backup/mentioned-ids.js';

/** Tables whose ids a file names: those of users and API tokens as authors. */
const TABLES = ['records', 'terms', 'content_fields', 'users', 'api_tokens'];

/**
 * Ids from which on none was ever handed out here, by what has them. One below that has no row may still be mentioned
 * by histories here, so nothing of a file may have it.
 */
export interface UnusedFrom {
  readonly terms: number;
  readonly fields: number;
  readonly users: number;
}

/** Where nothing is written, every id that has no row is as good. */
export const ALL_UNUSED: UnusedFrom = { terms: 1, fields: 1, users: 1 };

/** What an import begins with. */
interface Begun {
  readonly unusedFrom: UnusedFrom;
  /** Whether the header of the file says which ids come next. */
  readonly saysIds: boolean;
}

/** The part of all next ids that a file says. */
export function saidOf(nextIds: NextIds): NextIds {
  return Object.fromEntries(Object.entries(nextIds).filter(([table]) => TABLES.includes(table)));
}

/** Has ids that were in use where a file comes from stay out of use here. */
@Injectable()
export class ContinuedIds {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly reads: Reads,
  ) {}

  /** Looks which ids were never used here, and then passes over those that were used where the file comes from. */
  take({ next_ids: said }: Readonly<Record<string, unknown>>): Promise<Begun> {
    return this.unitOfWork.run(async (manager) => {
      const next = (table: string): Promise<number> => nextIdOf(manager, this.dialect, table);
      const unusedFrom = {
        terms: await next('terms'),
        fields: await next('content_fields'),
        users: await next('users'),
      };
      if (!isSaid(said)) return { unusedFrom, saysIds: false };
      await raiseNextIds(manager, this.dialect, saidOf(said));
      return { unusedFrom, saysIds: true };
    });
  }

  /** For files that do not say it: passes over what the content that was taken mentions. */
  async passMentioned(): Promise<void> {
    const mentioned = await new MentionedIds(this.reads).inColumns();
    const nextIds = saidOf(mentioned.nextIds());
    await this.unitOfWork.run((manager) => raiseNextIds(manager, this.dialect, nextIds));
  }
}

function isSaid(value: unknown): value is NextIds {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNextId);
}

function isNextId(next: unknown): boolean {
  return Number.isSafeInteger(next) && Number(next) > 0 && Number(next) <= MAX_ID + 1;
}
