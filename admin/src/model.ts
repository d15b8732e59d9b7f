import type { SignedInUser } from '@content-service/client';

/** What the public sees of a record. */
export const STATUSES = ['draft', 'published', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

/** A field of a content type, as far as the console edits it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly values?: readonly string[];
  readonly min?: number | string;
  readonly max?: number | string;
  readonly max_length?: number;
}

/** A content type. */
export interface ContentType {
  readonly name: string;
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** How people write the body; `none`: not at all. */
  readonly body: 'markdown' | 'html' | 'text' | 'none';
  /** Records by status, as far as the caller may see them. */
  readonly counts?: Readonly<Partial<Record<Status, number>>>;
}

/** Who has done something. */
interface Actor {
  readonly kind: string;
  readonly id: number | null;
  readonly name: string;
}

interface Term {
  readonly id: number;
  readonly name: string;
}

/** A record; the fields of its type stand beside what all records have. */
export interface ContentRecord {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly slug: string;
  readonly status: Status;
  readonly url: string | null;
  readonly version: number;
  readonly published_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: Actor | null;
  /** What a search has found, with `<mark>` around the words; everything else is escaped. */
  readonly excerpt?: unknown;
  readonly terms?: Readonly<Record<string, readonly Term[]>>;
  readonly [field: string]: unknown;
}

/** A fault of a value, which keeps it from the public. */
export interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** The working copy of a record: what is written and not public yet. */
export interface Draft {
  readonly version: number;
  readonly changed: readonly string[];
  /** What was changed in the record itself since the copy was begun. */
  readonly conflicts?: readonly { readonly field: string; readonly base: unknown; readonly live: unknown }[];
  readonly faults?: readonly Fault[];
  readonly updated_at?: string;
  readonly updated_by?: Actor | null;
}

/** Who is signed in, and what they may do. */
export interface Me {
  readonly user: SignedInUser;
  readonly scopes: readonly string[];
}

/** Whether someone may do a thing with records of a type. */
export function may({ scopes }: Pick<Me, 'scopes'>, scope: string, type: string): boolean {
  return scopes.some((held) => held === '*' || held === scope || held === `${scope}:${type}`);
}

/** Whether someone may change some record of a type: every one, or those of their own. */
export function mayWrite(me: Pick<Me, 'scopes'>, type: string): boolean {
  return ['records:update', 'records:update_own'].some((scope) => may(me, scope, type));
}
