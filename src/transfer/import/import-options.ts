import type { Caller } from '../../common/access/caller.js';
import type { Reads } from '../../database/statements/reads.js';
import type { RelationTargets } from '../../records/writing/relation-targets.js';
import type { Authorships } from '../../records/rows/actors.js';
import type { BatchWriter } from './batch-writer.js';
import type { TargetTypes } from './target-types.js';

/** What an import works with. */
export interface ImportServices {
  readonly targets: TargetTypes;
  readonly writer: BatchWriter;
  readonly relations: RelationTargets;
  readonly authorships: Authorships;
  readonly reads: Reads;
}

/** How things are to be imported. */
export interface ImportOptions {
  readonly caller: Caller;
  /** Name of the place that the items come from; items of two places never have the same key. */
  readonly source: string;
  /** The content type of all items; `null`: the one that the file names. */
  readonly type: string | null;
  /** What all items become; `null`: what the file says. */
  readonly status: string | null;
  readonly isDryRun: boolean;
  /** Called with the number of items that were done since the last time. */
  readonly onProgress?: (items: number) => void;
}
