import type { Field } from '../kinds/field.js';

/** Formats in which people write and preview the body of a record. The stored text is the one that was sent. */
export const BODY_FORMATS = ['markdown', 'html', 'text', 'none'] as const;

/** The settings of a type, apart from its identity and its fields. */
export interface TypeOptions {
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly taxonomies: readonly string[];
  /** Path of a record on the website, with `{slug}`, `{id}`, `{type}` or `{locale}`. */
  readonly url_path: string;
  readonly sitemap: boolean;
  /** `none`: forms have no body. */
  readonly body: (typeof BODY_FORMATS)[number];
  readonly revisions: { readonly keep: number };
}

/** A content type as the rest of the service sees it. */
export interface TypeDefinition extends TypeOptions {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly version: number;
  /** Beside the version what says whether the type is still the same; absent until it is needed. */
  readonly stamp?: string;
  /** True if writes of records have to be noted, since a change of the type looks at them (`type-watches.ts`). */
  readonly isWatched?: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly created_at: number;
  readonly updated_at: number;
}

/** A record body that fits its type. Keys of the type's own fields stand beside the built-in ones. */
export type RecordBody = Readonly<Record<string, unknown>>;

/** The purpose of a body: `draft` is a change that is kept beside a record until it is published. */
export type Purpose = 'create' | 'update' | 'draft';

/** A record that is to be changed, as far as the check of a body asks about it. */
export interface RecordBefore {
  readonly status: Status;
  /** Values of its fields by name: one that is sent as it is breaks no rule that came later. */
  readonly values?: () => RecordBody;
}

/** A type with the validators that were compiled for its version. */
export interface CompiledType extends TypeDefinition {
  readonly fieldsByName: ReadonlyMap<string, Field>;
  /** True if two of its records of one slug, in two locales, would have one address. */
  readonly sharesAddresses: boolean;
  /**
   * Compiles what the check of a body needs, a little in each turn of the event loop. What is not prepared is compiled
   * within the check.
   */
  prepare(body: unknown, purpose: Purpose): Promise<void>;
  /**
   * Fields that are required may lack a value unless the record becomes public.
   *
   * @throws {ValidationError} with every fault of a body that is to become a record
   */
  requireCreate(body: unknown): RecordBody;
  /**
   * The same for a change, in which `null` clears a field.
   *
   * @throws {ValidationError} with every fault of a body that is to change a record
   */
  requireUpdate(body: unknown, before: RecordBefore): RecordBody;
  /**
   * Values need no more than to be of their kind and size; `null` clears a field.
   *
   * @throws {ValidationError} with every fault of a body that is to change a working copy
   */
  requireDraft(body: unknown): RecordBody;
}

export const STATUSES = ['draft', 'published', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
