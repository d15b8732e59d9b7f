import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOG } from '../../common/logging/logging.module.js';
import { IndexBuilder, type Build, type Drop } from './index-builder.js';

/** The work on the side index that is left once a change of a type is committed. */
export interface IndexTasks {
  readonly builds: readonly Build[];
  readonly drops: readonly Drop[];
}

export const NO_TASKS: IndexTasks = { builds: [], drops: [] };

/** Carries out the tasks that changes of types leave for the side index. Tasks that failed are found in the tables. */
@Injectable()
export class IndexWork {
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

  /** Takes over the builds of processes that have not renewed their lease: they failed, or were killed. */
  async resumeExpired(): Promise<void> {
    const failures: unknown[] = [];
    for (const field of await this.builder.unfinished()) {
      await this.builder.takeOverExpired(field).catch((error: unknown) => {
        if (!this.isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Drops rows that a process left behind which failed or ended between a change and its drops. */
  async dropUnused(): Promise<void> {
    for (const field of await this.builder.unusedFields()) await this.builder.drop(field);
  }

  /** Records may be written with equal values until the index is complete, so that this is an expected outcome. */
  private isRefusal(error: unknown): boolean {
    if (!(error instanceof DomainError) || error.error !== 'type_in_use') return false;
    this.log.warn({ error: error.error, details: error.details }, 'a field could not become unique: its values repeat');
    return true;
  }
}
