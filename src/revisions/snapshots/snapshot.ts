import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, Status } from '../../content-types/definition/content-type.js';
import type { FieldKind } from '../../content-types/kinds/kinds.js';
import type { RecordState } from '../../records/writing/record-state.js';
import type { Reader } from '../../database/statements/reads.js';
import { namedTerms, type NamedTerm } from '../../taxonomy/terms/named-terms.js';

/** The value of a field of the type, with what the field was then: it may be renamed or removed since. */
export interface SnapshotField {
  readonly id: string;
  /** `null`: the type had lost the field already, and the record has kept the value. */
  readonly name: string | null;
  readonly type: FieldKind | null;
  readonly value: unknown;
}

/** A term as it would be: one that is not there yet has no id. */
export interface PlannedTerm extends Omit<NamedTerm, 'id'> {
  readonly id: number | null;
}

/** The whole state of a record after one write. */
export interface Snapshot {
  readonly title: string;
  readonly slug: string;
  readonly body: string | null;
  readonly status: Status;
  readonly locale: string;
  /** Milliseconds since 1970, UTC. */
  readonly published_at: number | null;
  /** All that the type had then. Those without a value have `null`: a field that is missing did not exist yet. */
  readonly fields: readonly SnapshotField[];
  /** By taxonomy, as they were then; those without terms are absent. */
  readonly terms: Readonly<Record<string, readonly NamedTerm[]>>;
}

/** The whole state of a record after a write that may not be made. */
export interface PlannedSnapshot extends Omit<Snapshot, 'terms'> {
  readonly terms: Readonly<Record<string, readonly PlannedTerm[]>>;
}

export type TermNames = ReadonlyMap<number, NamedTerm>;

export const NO_NAMES: TermNames = new Map();

/** Parts of a state, and their names in answers. */
const BUILT_IN = [
  ['title', 'title'],
  ['slug', 'slug'],
  ['body', 'body'],
  ['status', 'status'],
  ['locale', 'locale'],
  ['publishedAt', 'published_at'],
] as const satisfies readonly (readonly [keyof RecordState, string])[];

export function snapshotOf({ fields }: CompiledType, state: RecordState, names: TermNames): Snapshot {
  const present = fields.map(({ id, name, type }) => ({ id, name, type, value: state.values[id] ?? null }));
  const lost = Object.entries(state.values)
    .filter(([id]) => !fields.some((field) => field.id === id))
    .map(([id, value]) => ({ id, name: null, type: null, value }));
  const terms: Record<string, readonly NamedTerm[]> = {};
  for (const [taxonomy, ids] of Object.entries(state.terms)) terms[taxonomy] = ids.flatMap((id) => names.get(id) ?? []);
  return {
    title: state.title,
    slug: state.slug,
    body: state.body,
    status: state.status,
    locale: state.locale,
    published_at: state.publishedAt,
    fields: [...present, ...lost],
    terms,
  };
}

/** The parts that a write has changed, by name: built-ins, fields of the type, taxonomies. All of a new record. */
export function changedNames(type: CompiledType, before: RecordState | null, after: RecordState): string[] {
  const was: Partial<RecordState> = before ?? {};
  const { values = {}, terms = {} } = was;
  const names: string[] = [];
  for (const [part, name] of BUILT_IN) if (!isSameJson(was[part], after[part])) names.push(name);
  for (const { id, name } of type.fields) if (!isSameJson(values[id], after.values[id])) names.push(name);
  const taxonomies = Object.keys({ ...terms, ...after.terms });
  return [...names, ...taxonomies.filter((name) => !isSameJson(terms[name] ?? [], after.terms[name] ?? []))];
}

/** Terms by id. Those of a unit of work have to be read within it: a term may be as new as its assignment. */
export async function termNames(reader: Reader, ids: readonly number[]): Promise<TermNames> {
  return ids.length === 0 ? NO_NAMES : namedTerms(reader, [...new Set(ids)]);
}
