import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { ContentTypesService, StaleTypeError } from '../../content-types/store/content-types.service.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { select } from '../../database/statements/statement.js';
import { asUnavailable, isUniqueViolation } from '../../database/dialect/database-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { KeyedMutex } from '../../common/concurrency/keyed-mutex.js';

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

/** Runs writes of records: those of one record one after the other, and again when they lost a race all the same. */
@Injectable()
export class RecordWriter {
  private readonly mutex = new KeyedMutex<number>();

  constructor(
    private readonly types: ContentTypesService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * A unit of work on records of a type, which is sure to be the type that the body was checked against: nothing is
   * committed otherwise. It is asked together with the first statement of `work`.
   */
  unit<Result>(type: CompiledType, work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.unitOfWork.run(async (manager) => {
      const requireCurrent = await this.types.requireCurrentLater(manager, type);
      const result = await work(manager).catch(async (error: unknown) => {
        // What has failed may well fit the type as it is by now.
        if (asUnavailable(error) === null) await requireCurrent();
        throw error;
      });
      await requireCurrent();
      return result;
    });
  }

  /**
   * @param attempt reads, decides and writes; is called again, with the type as it is by then, after a lost race
   */
  async write<Result>(type: CompiledType, attempt: (type: CompiledType) => Promise<Result>): Promise<Result> {
    for (let tries = 1, current = type; ; tries += 1) {
      try {
        return await attempt(current);
      } catch (error) {
        if (tries >= MAX_TRIES) throw error;
        current = await this.nextTry(error, current, tries);
      }
    }
  }

  /**
   * The type to try again with, once it is time for that.
   *
   * @throws what went wrong, where trying again would not help
   */
  private async nextTry(error: unknown, type: CompiledType, tries: number): Promise<CompiledType> {
    if (error instanceof ValidationError) {
      // Perhaps another process has changed the type, and what was wrong is right by now.
      const latest = await this.types.requireLatest(type);
      if (latest === type) throw error;
      return latest;
    }
    // Whatever a client can have sent twice is a refusal by now: two processes wrote a revision of the same moment.
    if (!(error instanceof StaleTypeError || error instanceof LostRaceError || isUniqueViolation(error))) throw error;
    await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 5 * 2 ** tries));
    return error instanceof StaleTypeError ? this.types.require(type.name) : type;
  }

  /** {@link write} for a record that exists, after all earlier writes of it in this process. */
  writeTo<Result>(id: number, type: CompiledType, attempt: (type: CompiledType) => Promise<Result>): Promise<Result> {
    return this.mutex.run(id, () => this.write(type, attempt));
  }
}
