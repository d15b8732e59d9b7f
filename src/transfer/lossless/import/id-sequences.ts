import { Injectable } from '@nestjs/common';
import { MAX_ID } from '../../../common/id.js';
import { Dialect } from '../../../database/dialect/dialect.js';
import { nextIdOf, raiseNextIds, type NextIds } from '../../../database/statements/next-ids.js';
import { Reads } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { ReferencedIds } from '../../backup/referenced-ids.js';

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

/** The state of the sequences at the beginning of an import. */
interface Baseline {
  readonly unusedFrom: UnusedFrom;
  /** Whether the header of the file has the next ids. */
  readonly hasNextIds: boolean;
}

/** The next ids that a file records, of all. */
export function recordedIds(nextIds: NextIds): NextIds {
  return Object.fromEntries(Object.entries(nextIds).filter(([table]) => TABLES.includes(table)));
}

/**
 * Advances the id sequences of this database past the ids that were ever used where a file comes from, so that none of
 * them is assigned to something else.
 */
@Injectable()
export class IdSequences {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly reads: Reads,
  ) {}

  /** Reads the next ids of this database, and then advances its sequences to the next ids in the header of the file. */
  advance({ next_ids: recorded }: Readonly<Record<string, unknown>>): Promise<Baseline> {
    return this.unitOfWork.run(async (manager) => {
      const next = (table: string): Promise<number> => nextIdOf(manager, this.dialect, table);
      const unusedFrom = {
        terms: await next('terms'),
        fields: await next('content_fields'),
        users: await next('users'),
      };
      if (!isNextIds(recorded)) return { unusedFrom, hasNextIds: false };
      await raiseNextIds(manager, this.dialect, recordedIds(recorded));
      return { unusedFrom, hasNextIds: true };
    });
  }

  /** For files without next ids: advances the sequences past the ids that the imported content references. */
  async advancePastReferenced(): Promise<void> {
    const mentioned = await new ReferencedIds(this.reads).inColumns();
    const nextIds = recordedIds(mentioned.nextIds());
    await this.unitOfWork.run((manager) => raiseNextIds(manager, this.dialect, nextIds));
  }
}

function isNextIds(value: unknown): value is NextIds {
  return typeof value === 'object' && value !== null && Object.values(value).every(isNextId);
}

function isNextId(next: unknown): boolean {
  return Number.isSafeInteger(next) && Number(next) > 0 && Number(next) <= MAX_ID + 1;
}
