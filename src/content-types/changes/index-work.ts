import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOG } from '../../common/logging/logging.module.js';
import { IndexBuilder, type Build, type Drop } from './index-builder.js';
import { isTypeInUse } from './losses/lossy-changes.js';

/** The work on the side index that is left once a change of a type is committed. */
export interface IndexTasks {
  readonly builds: readonly Build[];
  readonly drops: readonly Drop[];
}

export const NO_TASKS: IndexTasks = { builds: [], drops: [] };

type Task = () => Promise<void>;

/**
 * Carries out the tasks that changes of types leave for the side index, and retries failed ones until they are done.
 */
@Injectable()
export class IndexWork {
  /** Tasks of this process that failed or never began, by field. Bounded by the number of fields. */
  private readonly unfinished = new Map<number, Task>();

  constructor(
    private readonly builder: IndexBuilder,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Lets no further batch begin. What is not finished goes on at the next start. */
  stop(): void {
    this.builder.stop();
  }

  /** @throws {DomainError} `type_in_use`: values of a field that was to be unique repeat; it is not unique then */
  async carryOut({ builds, drops }: IndexTasks): Promise<void> {
    for (const build of builds) await this.builder.build(build);
    for (const drop of drops) await this.builder.drop(drop);
  }

  /**
   * Leaves tasks to {@link retry}. Those that are done already, or whose change was not committed, end there without
   * effect; a later task of a field takes the place of an earlier one.
   */
  retryLater({ builds, drops }: IndexTasks): void {
    for (const build of builds) this.unfinished.set(build.fieldKey, () => this.builder.build(build));
    for (const drop of drops) this.unfinished.set(drop.fieldKey, () => this.builder.drop(drop));
  }

  /** Takes over all builds that another process has left unfinished. */
  async resume(): Promise<void> {
    for (const field of await this.builder.unfinished()) {
      this.unfinished.set(field.fieldKey, () => this.builder.takeOver(field));
    }
    await this.retry();
  }

  /** Takes over the builds of processes that have not renewed their lease, such as one that was killed. */
  async resumeExpired(): Promise<void> {
    for (const field of await this.builder.unfinished()) {
      if (this.unfinished.has(field.fieldKey)) continue;
      this.unfinished.set(field.fieldKey, () => this.builder.takeOverExpired(field));
    }
    await this.retry();
  }

  /** Drops the rows that a process left behind which ended between a change and its drops. */
  async dropUnused(): Promise<void> {
    for (const field of await this.builder.unusedFields()) await this.builder.drop(field);
  }

  /** Tries once more what a failure has ended in this process, such as a connection that was lost. */
  async retry(): Promise<void> {
    for (const [fieldKey, task] of [...this.unfinished]) {
      this.unfinished.delete(fieldKey);
      try {
        await task();
      } catch (error) {
        if (!isTypeInUse(error)) throw this.failed(fieldKey, task, error);
        this.logRefusal(error);
      }
    }
  }

  /** The task goes behind the others, so that it keeps none of them from the next try. */
  private failed(fieldKey: number, task: Task, error: unknown): unknown {
    if (!this.unfinished.has(fieldKey)) this.unfinished.set(fieldKey, task);
    return error;
  }

  /** Records may be written with equal values until the index is complete, so that this is an expected outcome. */
  private logRefusal(error: unknown): void {
    if (!(error instanceof DomainError)) return;
    this.log.warn({ error: error.error, details: error.details }, 'a field could not become unique: its values repeat');
  }
}
