/**
 * How an index that is made from the database does:
 *
 * - `building`: it is not complete, and not searched yet;
 * - `ready`: it has all that was written a minute ago;
 * - `behind`: it lacks an older change;
 * - `unreachable`: it does not answer, or cannot be written;
 * - `refused`: it is not this service's to feed or to search; see {@link DerivedIndexReport.reason}.
 */
export const DERIVED_INDEX_STATES = ['building', 'ready', 'behind', 'unreachable', 'refused'] as const;

/** Why an index is `refused`: another database has the name, or a newer release has made it. */
export const REFUSAL_REASONS = ['other_database', 'newer_release'] as const;

/** Changes that are counted at most: above that there are as many or more. */
export const MOST_CHANGES_COUNTED = 10_000;

/** How far an index is behind the database. */
export interface DerivedIndexReport {
  /** `local`, `opensearch` */
  readonly name: string;
  readonly state: (typeof DERIVED_INDEX_STATES)[number];
  readonly reason: (typeof REFUSAL_REASONS)[number] | null;
  /** Changes that it lacks, at most {@link MOST_CHANGES_COUNTED}; `null`: unknown. */
  readonly changesBehind: number | null;
  /** Age of the oldest change that it lacks, in seconds; 0: it lacks none; `null`: unknown. */
  readonly oldestSeconds: number | null;
}

/** What shows how an index does. It costs the same however large database and index are. */
export type DerivedIndexLook = () => Promise<DerivedIndexReport>;

/** The indexes that this process makes from the database, or searches. Each feature adds its own. */
export class DerivedIndexes {
  private readonly looks: DerivedIndexLook[] = [];

  add(look: DerivedIndexLook): void {
    this.looks.push(look);
  }

  all(): Promise<readonly DerivedIndexReport[]> {
    return Promise.all(this.looks.map((look) => look()));
  }
}
