import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Clock } from '../../common/clock.js';
import { isTime } from '../../common/text/time-text.js';
import { Actors } from '../rows/actors.js';
import type { RecordRow } from '../rows/record-row.js';

/** The author and the time of a write. */
export interface Authorship {
  readonly actor: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** A time behind that of the last write of a record; a damaged one says nothing. */
export function laterThan({ updated_at: before }: Pick<RecordRow, 'updated_at'>, now: number): number {
  return isTime(before) ? Math.max(now, before + 1) : now;
}

/** Makes the authorship of a write. */
@Injectable()
export class Authorships {
  constructor(
    private readonly actors: Actors,
    private readonly clock: Clock,
  ) {}

  async of(caller: Caller): Promise<Authorship> {
    return { actor: await this.actors.idOf(caller), at: this.clock.now() };
  }

  /** Later than the last write of a record, even when the clock stands still or steps back. */
  async after(row: RecordRow, caller: Caller): Promise<Authorship> {
    return { actor: await this.actors.idOf(caller), at: laterThan(row, this.clock.now()) };
  }

  async isBy(actor: number, caller: Caller): Promise<boolean> {
    return (await this.actors.idOf(caller)) === actor;
  }
}
