import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { Clock } from '../../common/clock.js';
import { LOG } from '../../common/logging/logging.module.js';
import { asUnavailable } from '../../database/database-error.js';
import { deleteOld } from '../../database/old-rows.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

const EVERY_MS = 3_600_000;
const KEPT_MS = 90 * 86_400_000;

/** Both are ranges of the index `i_api_tokens_end`. */
const ENDED = ['revoked_at < ?', 'revoked_at IS NULL AND expires_at < ?'];
/** What was made with a token ends with it, so its row goes first: no row names a parent that is not there. */
const HAS_CHILDREN = 'EXISTS (SELECT 1 FROM api_tokens child WHERE child.parent_id = api_tokens.id)';

/**
 * Deletes API tokens 90 days after they were revoked or have expired, in small steps. The audit keeps their events.
 * A chain of tokens goes one link an hour, the last one first.
 */
@Injectable()
export class TokenRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'old API tokens could not be dropped', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, () => this.dropOld());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Drops what is too old by now. */
  async dropOld(): Promise<void> {
    const before = this.clock.now() - KEPT_MS;
    for (const condition of ENDED) {
      const old = { table: 'api_tokens', condition, before, unless: HAS_CHILDREN };
      await deleteOld(this.unitOfWork, old, this.chores);
    }
  }
}
