import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { KeyedMutex } from '../../common/concurrency/keyed-mutex.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ContentTypesService, StaleTypeError } from '../../content-types/store/content-types.service.js';
import { asUnavailable, isUniqueViolation } from '../../database/dialect/database-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { select } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { isSlugTaken } from './slugs.js';

/** Another caller has written the record between reading and writing. */
export class LostRaceError extends Error {}

/** Keeps a record from being removed for good until the unit of work ends. Returns whether it is there. */
export async function holdRecord(manager: EntityManager, dialect: Dialect, id: number): Promise<boolean> {
  const sql = `SELECT id FROM records WHERE id = ?${dialect.lockInShareMode}`;
  return (await select(manager, sql, [id])).length > 0;
}

/** With the pauses between them, some ten seconds of bad luck. */
const MAX_TRIES = 20;
const MAX_PAUSE_MS = 500;

/** The part of a write that gives way if another record has it: a slug that was not sent, or unique values too. */
export type GivesWay = 'nothing' | 'slug' | 'all';

/** A write that is decided on, before the unit of work that makes it. */
export interface Plan<Result> {
  /** The answer of a write that would change nothing: no unit of work is opened for it. */
  readonly unchanged?: Result | undefined;
  /** Absent: nothing, and the write is refused. */
  readonly givesWay?: GivesWay;
}

/** A plan within the unit of work that writes it. */
export interface Attempt<What> {
  readonly manager: EntityManager;
  /** The type that the plan was made on. It stays as it is until the unit ends. */
  readonly type: CompiledType;
  readonly plan: What;
  /** Count of the slugs that gave way and were taken. From 1 on a free one is looked for. */
  readonly lost: number;
}

/** Progress of a write. */
interface Course extends Pick<Attempt<unknown>, 'type' | 'lost'> {
  /** 1: the first one. */
  readonly tries: number;
}

/** The one way to write records: plan, write, and both again after a lost race. */
@Injectable()
export class RecordWriter {
  private readonly byRecord = new KeyedMutex<number>();
  /** On servers: writes that look for a free slug at the same time find the same one. */
  private readonly byType = new KeyedMutex<number>();

  constructor(
    private readonly types: ContentTypesService,
    private readonly units: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Plans a write and makes it. Both are done again, on the type as it is by then, where the type has changed, a race
   * was lost, or a slug or a unique value was taken that gives way.
   *
   * @param plan reads and decides, outside of the unit of work, knowing how often a slug was {@link Attempt.lost}
   * @param write writes all that was decided, inside of it
   */
  write<Result, What extends Plan<Result>>(
    type: CompiledType,
    plan: (type: CompiledType, lost: number) => Promise<What>,
    write: (attempt: Attempt<What>) => Promise<Result>,
  ): Promise<Result> {
    return this.tried({ type, lost: 0, tries: 1 }, plan, write);
  }

  /** {@link write} for a record that exists, after all earlier writes of it in this process. */
  writeTo<Result, What extends Plan<Result>>(
    id: number,
    type: CompiledType,
    plan: (type: CompiledType) => Promise<What>,
    write: (attempt: Attempt<What>) => Promise<Result>,
  ): Promise<Result> {
    return this.byRecord.run(id, () => this.write(type, plan, write));
  }

  /** One try, and if it helps the next one. What has lost a slug keeps its turn in this process until it is written. */
  private async tried<Result, What extends Plan<Result>>(
    course: Course,
    plan: (type: CompiledType, lost: number) => Promise<What>,
    write: (attempt: Attempt<What>) => Promise<Result>,
  ): Promise<Result> {
    const { type, lost } = course;
    let planned: What | undefined;
    try {
      const decided = (planned = await plan(type, lost));
      if (decided.unchanged !== undefined) return decided.unchanged;
      return await this.units.run((manager) => this.attempt({ manager, type, plan: decided, lost }, write));
    } catch (error) {
      if (course.tries >= MAX_TRIES) throw error;
      const losesSlug = isYielding(error, planned);
      const next = async (): Promise<Result> => this.tried(await this.nextTry(error, course, losesSlug), plan, write);
      return losesSlug && lost === 0 && !this.dialect.hasOneWriter ? this.byType.run(type.id, next) : next();
    }
  }

  /**
   * The type is sure to be the one that the plan was made on: nothing is committed otherwise. It is asked together with
   * the first statement of the write.
   */
  private async attempt<Result, What>(
    attempt: Attempt<What>,
    write: (attempt: Attempt<What>) => Promise<Result>,
  ): Promise<Result> {
    const requireCurrent = await this.types.requireCurrentLater(attempt.manager, attempt.type);
    try {
      const result = await write(attempt);
      await requireCurrent();
      return result;
    } catch (error) {
      // What has failed may well fit the type as it is by now.
      if (asUnavailable(error) === null) await requireCurrent();
      throw error;
    }
  }

  /** The next try, once it is time for that. @throws what went wrong, if trying again would not help */
  private async nextTry(error: unknown, course: Course, losesSlug: boolean): Promise<Course> {
    const { type, lost } = course;
    const tries = course.tries + 1;
    if (losesSlug) return { type: await this.types.require(type.name), lost: lost + 1, tries };
    if (isLost(error)) {
      await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 5 * 2 ** course.tries));
      return { type: error instanceof StaleTypeError ? await this.types.require(type.name) : type, lost, tries };
    }
    // Perhaps another process has changed the type, and what was wrong is right by now.
    const latest = error instanceof ValidationError ? await this.types.requireLatest(type) : type;
    if (latest === type) throw error;
    return { type: latest, lost, tries };
  }
}

/** True if the type has changed, or another write was quicker: the next plan will see it. */
function isLost(error: unknown): boolean {
  if (error instanceof StaleTypeError || error instanceof LostRaceError) return true;
  // Whatever a client can have sent twice is a refusal by now: two processes wrote a revision of the same moment.
  return isUniqueViolation(error);
}

/** True if another record has what the next try does without. */
function isYielding(error: unknown, { givesWay = 'nothing' }: Plan<unknown> = {}): boolean {
  if (givesWay === 'nothing') return false;
  if (error instanceof ValidationError)
    return givesWay === 'all' && error.faults.every(({ rule }) => rule === 'unique');
  return isSlugTaken(error);
}
