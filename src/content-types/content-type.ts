/** What a field can hold. `relation` points to other records; `list` holds several scalars. */
export const FIELD_KINDS = [
  'string',
  'text',
  'markdown',
  'html',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'email',
  'url',
  'enum',
  'json',
  'list',
  'relation',
] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

/** Kinds that the items of a `list` can have. */
export const SCALAR_KINDS = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'email',
  'url',
  'enum',
] as const;

export type ScalarKind = (typeof SCALAR_KINDS)[number];

/** The rules of a field, apart from its identity. */
export interface FieldOptions {
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** Smallest and largest number, or earliest and latest date. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Characters of a text, or items of a list or of a relation to many. */
  readonly min_length?: number;
  readonly max_length?: number;
  /** Regular expression in RE2 syntax, matched anywhere unless it is anchored. */
  readonly pattern?: string;
  /** Choices of an `enum`. */
  readonly values?: readonly string[];
  readonly default?: unknown;
  readonly unique: boolean;
  /** Of a unique e-mail field, which alone has it: whether values that differ in case are different values. */
  readonly exact?: boolean;
  /** Filterable and sortable. */
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** Kind of the items of a `list`. */
  readonly of?: ScalarKind;
  /** Names of the types that a `relation` may point to. */
  readonly to?: readonly string[];
  /** Whether a `relation` points to several records. */
  readonly many?: boolean;
}

/** One field of a content type. */
export interface Field extends FieldOptions {
  /** Number of the row; values and index rows refer to it. */
  readonly key: number;
  /** The same id as the API shows it, `f_` and base 36. Never changes, so a rename keeps the values. */
  readonly id: string;
  readonly name: string;
  readonly type: FieldKind;
  /** Whether its index does not hold every record yet. Writers maintain it, but nobody may filter by it. */
  readonly building?: boolean;
  /** Whether the index that is being built may still hold unique keys of the other way to compare. */
  readonly isRekeyed?: boolean;
}

/** The settings of a type, apart from its identity and its fields. */
export interface TypeOptions {
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly taxonomies: readonly string[];
  /** Path of a record on the website, with `{slug}`, `{id}`, `{type}` or `{locale}`. */
  readonly url_path: string;
  readonly sitemap: boolean;
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
  /** Whether writes of records have to be noted, since a change of the type looks at them (`type-watches.ts`). */
  readonly isWatched?: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly created_at: number;
  readonly updated_at: number;
}

/** A record body that fits its type. Keys of the type's own fields stand beside the built-in ones. */
export type RecordBody = Readonly<Record<string, unknown>>;

/** What is to become of a body. */
export type Purpose = 'create' | 'update';

/** A type with the validators that were compiled for its version. */
export interface CompiledType extends TypeDefinition {
  readonly fieldsByName: ReadonlyMap<string, Field>;
  /**
   * Compiles what the check of a body needs, a little in each turn of the event loop. What is not prepared is compiled
   * within the check.
   */
  prepare(body: unknown, purpose: Purpose): Promise<void>;
  /** @throws {ValidationError} with every fault of a body that is to become a record */
  requireCreate(body: unknown): RecordBody;
  /** @throws {ValidationError} with every fault of a body that is to change a record; `null` clears a field */
  requireUpdate(body: unknown): RecordBody;
}

export const STATUSES = ['draft', 'published', 'archived'] as const;
export type Status = (typeof STATUSES)[number];
