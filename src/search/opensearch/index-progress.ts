import { CachedValue } from '../../common/concurrency/cached-value.js';
import type { DerivedIndexReport } from '../../common/derived-indexes.js';
import { ChangeLag, stateByLag, UNKNOWN_LAG, type Lag } from '../changes/change-lag.js';
import type { Reader } from '../../database/statements/reads.js';
import type { Cluster, RequestLimits } from './cluster/cluster.js';
import { ClusterError } from './cluster/cluster-error.js';
import { feedStateOf } from './fed-index.js';
import type { Plan } from './plan.js';

interface Sources {
  readonly cluster: Cluster;
  readonly reader: Reader;
  /** The time by the clock of the database, as SQL. */
  readonly now: string;
  /** @throws {ClusterError} */
  readonly plan: (limits: RequestLimits) => Promise<Plan>;
}

/** OpenSearch is `unreachable` without an answer by then: metrics leave out a value that takes two seconds. */
const LIMITS: RequestLimits = { within: 1_500 };

const NAME = 'opensearch';
const NOTHING = { name: NAME, reason: null, ...UNKNOWN_LAG } as const;
const UNREACHABLE: DerivedIndexReport = { ...NOTHING, state: 'unreachable' };

/** How far the index that is searched has come. Asked for again and again, it looks once a second. */
export class IndexProgress {
  /** The last change of the index when OpenSearch last answered. */
  private row: number | null = null;
  private readonly lag: ChangeLag;
  private readonly known = new CachedValue<DerivedIndexReport>(UNREACHABLE, () => this.look());

  constructor(private readonly sources: Sources) {
    this.lag = new ChangeLag(sources.reader, sources.now);
  }

  /** While OpenSearch does not answer, the lag is by its progress when it last did. Fails with the database only. */
  report(): Promise<DerivedIndexReport> {
    return this.known.current();
  }

  private async look(): Promise<DerivedIndexReport> {
    try {
      return await this.ask();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      return { ...UNREACHABLE, ...(await this.lagSince(this.row)) };
    }
  }

  private async ask(): Promise<DerivedIndexReport> {
    const { serving, foreign } = await this.sources.plan(LIMITS);
    if (foreign) return { ...NOTHING, state: 'refused', reason: 'other_database' };
    if (!serving) return { ...NOTHING, state: 'building' };
    this.row = (await feedStateOf(this.sources.cluster, serving.name, LIMITS))?.mark.row ?? null;
    const lag = await this.lagSince(this.row);
    if (serving.isSearchable) return { ...NOTHING, ...lag, state: stateByLag(lag) };
    return serving.isNewer
      ? { ...NOTHING, ...lag, state: 'refused', reason: 'newer_release' }
      : { ...NOTHING, ...lag, state: 'building' };
  }

  private async lagSince(row: number | null): Promise<Lag> {
    return row === null ? UNKNOWN_LAG : this.lag.since(row);
  }
}
