import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { TermRewrites, type TermChange } from './term-rewrites.js';

/** Units that share a commit: each may have a record of a megabyte in memory. */
const MOST_ON_FILE = 16;
/** Connections of a server that are taken at once: most of them are left to requests. */
const MOST_ON_SERVER = 4;

/** A record that is to have other terms. */
interface RecordRef {
  readonly id: number;
  readonly typeId: number;
}

/** Gives many records other terms. */
@Injectable()
export class TermRewriteBatches {
  private readonly pace: UnitPace;
  private readonly most: number;

  constructor(
    private readonly types: ContentTypesService,
    private readonly rewrites: TermRewrites,
    { hasOneWriter }: Dialect,
  ) {
    this.most = hasOneWriter ? MOST_ON_FILE : MOST_ON_SERVER;
    this.pace = new UnitPace({ hasOneLock: hasOneWriter, most: this.most });
  }

  /**
   * Rewrites several records at a time: on a file they share commits, on a server none waits for the commit of another.
   * When it ends, with a failure or without, none is under way any more.
   */
  async rewrite(records: readonly RecordRef[], change: TermChange, caller: Caller): Promise<void> {
    for (let start = 0; start < records.length;) {
      const some = records.slice(start, start + Math.min(this.most, this.pace.capacity));
      await this.pace.run(some.length, () => this.together(some, change, caller));
      start += some.length;
    }
  }

  private async together(records: readonly RecordRef[], change: TermChange, caller: Caller): Promise<void> {
    const types = new Map((await this.types.all()).map((type) => [type.id, type]));
    const ends = await Promise.allSettled(
      records.flatMap(({ id, typeId }) => {
        const type = types.get(typeId);
        // The records of a type that is gone are about to go as well.
        return type ? [this.rewrites.rewrite(type, id, change, caller)] : [];
      }),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
