import { timeText } from '../common/text/time-text.js';
import type { ActorView } from '../records/rows/actors.js';
import type { RevisionRow } from './history/revision-reader.js';
import { shownTime, type Change } from './snapshots/snapshot-diff.js';
import type { Snapshot } from './snapshots/snapshot.js';

/** A revision as the API lists it. */
export interface RevisionView {
  readonly ts: number;
  readonly created_at: string;
  readonly version: number;
  readonly action: string;
  readonly status: string;
  readonly title: string;
  /** Left out where it would compare with a revision that the caller does not see. */
  readonly changed?: readonly string[];
  readonly author: ActorView;
  readonly rollback_of: number | null;
  readonly current: boolean;
  readonly size_bytes: number;
}

/** A revision with the state that it kept. Values of fields stand beside the built-in parts, by the names of that time. */
export interface WholeRevisionView extends RevisionView {
  readonly snapshot: Readonly<Record<string, unknown>>;
}

/** The choice of one of two states. */
export type RevisionHead = Pick<RevisionView, 'ts' | 'created_at' | 'version'>;

/** The changes from the older of two revisions to the newer one. */
export interface DiffView {
  /** `null`: there is no earlier one. */
  readonly from: RevisionHead | null;
  readonly to: RevisionHead;
  readonly changes: readonly Change[];
}

/** The parts of a view that are not in its row. */
interface Context {
  readonly author: ActorView;
  /** `ts` of the newest revision. */
  readonly newest: number;
  /** Names of what the write has changed; `null`: the caller does not see what was before. */
  readonly changed: readonly string[] | null;
  /** A caller who does not see every revision does not learn of the others by what was brought back, either. */
  readonly isAllSeen: boolean;
}

export function revisionView(row: RevisionRow, { author, newest, changed, isAllSeen }: Context): RevisionView {
  const { version, action, status, title, rollback_of: rollbackOf, size_bytes: size } = row;
  return {
    ...headOf(row),
    version,
    action,
    status,
    title,
    ...(changed && { changed }),
    author,
    rollback_of: isAllSeen ? rollbackOf : null,
    current: row.ts === newest,
    size_bytes: size,
  };
}

export function headOf({ ts, version }: RevisionRow): RevisionHead {
  return { ts, created_at: timeText(ts), version };
}

export function snapshotView(snapshot: Snapshot): WholeRevisionView['snapshot'] {
  const { title, slug, body, status, locale, published_at: publishedAt, fields, terms } = snapshot;
  const named = fields.flatMap(({ name, value }) => (name === null ? [] : [[name, value] as const]));
  return {
    title,
    slug,
    body,
    status,
    locale,
    published_at: shownTime(publishedAt),
    ...(Object.fromEntries(named) as Record<string, unknown>),
    terms,
  };
}
