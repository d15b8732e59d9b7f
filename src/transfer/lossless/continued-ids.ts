import { Injectable } from '@nestjs/common';
import { MAX_ID } from '../../common/id.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { raiseNextIds, type NextIds } from '../../database/next-ids.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MentionedIds } from '../backup/mentioned-ids.js';

/** Tables whose ids a file names. */
const TABLES = ['records', 'terms', 'content_fields', 'users'];

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

  /** Returns whether the header of a file says which ids come next. */
  async take({ next_ids: said }: Readonly<Record<string, unknown>>): Promise<boolean> {
    if (!isSaid(said)) return false;
    await this.raise(saidOf(said));
    return true;
  }

  /** For files that do not say it: passes over what the content that was taken mentions. */
  async passMentioned(): Promise<void> {
    const mentioned = await new MentionedIds(this.reads).inColumns();
    await this.raise(saidOf(mentioned.nextIds()));
  }

  private raise(nextIds: NextIds): Promise<void> {
    return this.unitOfWork.run((manager) => raiseNextIds(manager, this.dialect, nextIds));
  }
}

function isSaid(value: unknown): value is NextIds {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNextId);
}

function isNextId(next: unknown): boolean {
  return Number.isSafeInteger(next) && Number(next) > 0 && Number(next) <= MAX_ID + 1;
}
