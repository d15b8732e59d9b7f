/** A place in what is imported. Lines count from 1; 0 is the file as a whole. */
export interface FileLine {
  /** As a person would look it up: the path below the folder, or the name of the file. */
  readonly file: string;
  readonly line: number;
}

/** A finding about a place, in a whole sentence. */
export interface Remark extends FileLine {
  readonly message: string;
}

/** A term as an item names it. Without a slug it is the one that the name makes. */
export interface TermName {
  readonly name: string;
  readonly slug: string | null;
}

/** A value that may belong to a field of the type, and the line on which it stands. */
export interface SourceValue {
  readonly value: unknown;
  readonly line: number;
}

/** The text of a cell of a table. What it stands for is known when the type is. */
export interface Cell {
  readonly cell: string;
  readonly line: number;
}

/** Milliseconds since 1970, UTC. `null`: the file does not say. */
type Moment = number | null;

/** One item that is to become a record. What its type has no place for is found out when the type is known. */
export interface ImportItem extends FileLine {
  readonly kind: 'item';
  /** The same in every run, and no two items of a source have the same one. */
  readonly key: string;
  /** `null`: of the type that the caller names. */
  readonly type: string | null;
  readonly title: string;
  /** `null`: made from the title. */
  readonly slug: string | null;
  /** `null`: the file does not say. */
  readonly status: string | null;
  readonly locale: string | null;
  readonly createdAt: Moment;
  /** Counts for an item that is not a draft. */
  readonly publishedAt: Moment;
  readonly body: string | null;
  readonly values: Readonly<Record<string, SourceValue | Cell>>;
  /** By the name of the taxonomy, in the order of the file. */
  readonly terms: Readonly<Record<string, readonly TermName[]>>;
  /** Reasons for which the item is refused. */
  readonly problems: readonly Remark[];
  /** Differences from the file, for example a draft in place of a private post. */
  readonly notes: readonly Remark[];
}

/** The moments of an item whose file may say only one of them, and means both then. */
export function momentsOf(createdAt: Moment, publishedAt: Moment): Pick<ImportItem, 'createdAt' | 'publishedAt'> {
  return { createdAt: createdAt ?? publishedAt, publishedAt: publishedAt ?? createdAt };
}

/** About how much there is to write of an item, in characters. */
export function lengthOf({ title, body, values }: ImportItem): number {
  return title.length + (body?.length ?? 0) + Object.values(values).reduce((sum, one) => sum + sizeOf(one), 0);
}

function sizeOf(one: SourceValue | Cell): number {
  const value = 'cell' in one ? one.cell : one.value;
  return typeof value === 'string' ? value.length : JSON.stringify(value ?? null).length;
}

/** A term that stands in the file on its own, with its place in the tree. */
export interface ImportTerm extends FileLine {
  readonly kind: 'term';
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The slug of the parent. */
  readonly parent: string | null;
}

/** Something that has no place here. Counted by what it is, so that nothing is dropped silently. */
export interface Leftover extends FileLine {
  readonly kind: 'leftover';
  /** In the plural, as a list of counts shows it: `comments`. */
  readonly what: string;
  readonly reason: string;
}

/** A file, or the rest of one, that cannot be read. */
export interface Unreadable extends FileLine {
  readonly kind: 'unreadable';
  readonly message: string;
}

/** Made of what can go from one thread to another: no instances of classes. */
export type ImportEntry = ImportItem | ImportTerm | Leftover | Unreadable;

/** Reads a file or folder, in flat memory however large it is. Only tables have a guard to take off. */
export type ImportReader = (path: string, isGuarded?: boolean) => AsyncGenerator<ImportEntry>;
