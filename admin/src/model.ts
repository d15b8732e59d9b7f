import type { SignedInUser } from '@content-service/client';

/** Statuses of a record. */
export const STATUSES = ['draft', 'published', 'archived'] as const;
export type Status = (typeof STATUSES)[number];

/** A field of a content type, as far as the console edits it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly unique?: boolean;
  readonly values?: readonly string[];
  /** Smallest and largest number, or earliest and latest date. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Characters of a text; items of a list or of a relation to many. */
  readonly min_length?: number;
  readonly max_length?: number;
  readonly pattern?: string;
  /** Kind of the items of a list. */
  readonly of?: string;
  /** Types that a relation may point to. */
  readonly to?: readonly string[];
  readonly many?: boolean;
}

/** A content type. */
export interface ContentType {
  readonly name: string;
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** Names of the taxonomies by whose terms its records are ordered. */
  readonly taxonomies: readonly string[];
  /** Path of a record on the website, such as `/{locale}/{slug}`. */
  readonly url_path: string;
  /** The format in which people write the body; `none`: it has no body. */
  readonly body: 'markdown' | 'html' | 'text' | 'none';
  /** Records by status, as far as the caller may see them. */
  readonly counts?: Readonly<Partial<Record<Status, number>>>;
}

/** The author of a change. */
interface Actor {
  readonly kind: string;
  readonly id: number | null;
  readonly name: string;
}

/** A term, as a record shows it. */
export interface Term {
  readonly id: number;
  readonly name: string;
}

/** A term, as its taxonomy shows it. */
export interface ListedTerm extends Term {
  readonly slug: string;
  /** Slugs from the top to the term. */
  readonly path: string;
  /** 1 for a term without a parent. */
  readonly depth: number;
}

/** The target of a relation. */
export interface Reference {
  readonly type: string;
  readonly id: number;
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
  /** The text around a match, with `<mark>` around the words; everything else is escaped. */
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
  /** Changes of the record itself since the copy was begun. */
  readonly conflicts?: readonly { readonly field: string; readonly base: unknown; readonly live: unknown }[];
  readonly faults?: readonly Fault[];
  /** Names of tags that are made when it is published, by taxonomy. */
  readonly new_terms?: Readonly<Record<string, readonly string[]>>;
  readonly updated_at?: string;
  readonly updated_by?: Actor | null;
}

/** The person who is signed in, and their rights. */
export interface Me {
  readonly user: SignedInUser;
  readonly scopes: readonly string[];
}

/** Tells whether someone may do a thing with records of a type. */
export function may({ scopes }: Pick<Me, 'scopes'>, scope: string, type: string): boolean {
  return scopes.some((held) => held === '*' || held === scope || held === `${scope}:${type}`);
}

/** Tells whether someone may change a record. Those who change their own only may change what they have made. @param record `null`: a new one */
export function mayWrite(me: Me, type: string, record: ContentRecord | null): boolean {
  if (may(me, 'records:update', type)) return true;
  const author = record?.created_by as Partial<Actor> | null | undefined;
  return may(me, 'records:update_own', type) && (record === null || author?.id === me.user.id);
}
