import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { PlannedSnapshot, Snapshot, SnapshotField } from './snapshot.js';
import { TextDiff, type TextChange } from './text-diff.js';

/** One part of a record that differs between two states. */
export interface Change {
  /** The present name; what has no name any more, by the one that it had. */
  readonly field: string;
  readonly kind: 'built_in' | 'field' | 'taxonomy';
  readonly from: unknown;
  readonly to: unknown;
  /** The parts of two texts. */
  readonly changes?: readonly TextChange[];
}

type Part = Omit<Change, 'changes'> & { readonly isText?: boolean };

const BUILT_INS = ['title', 'slug', 'body', 'status', 'locale', 'published_at'] as const;

/** The differences between two states of a record, part by part. @param from `null`: there was nothing before */
export async function changesBetween(
  type: CompiledType,
  from: Snapshot | null,
  to: PlannedSnapshot,
): Promise<Change[]> {
  const texts = new TextDiff();
  const all: Change[] = [];
  for (const part of [...builtIns(from, to), ...fields(type, from, to), ...taxonomies(from, to)]) {
    if (!isSameJson(part.from, part.to)) all.push(await changeOf(part, texts));
  }
  return all;
}

async function changeOf({ isText, ...part }: Part, texts: TextDiff): Promise<Change> {
  if (isText !== true || typeof part.from !== 'string' || typeof part.to !== 'string') return part;
  const changes = await texts.changes(part.from, part.to);
  return changes === null ? part : { ...part, changes };
}

/** Milliseconds since 1970 as the API shows them. */
export function shownTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function builtIns(from: Snapshot | null, to: PlannedSnapshot): Part[] {
  return BUILT_INS.map((field) => ({
    field,
    kind: 'built_in',
    from: from && builtIn(from, field),
    to: builtIn(to, field),
    isText: field === 'title' || field === 'body',
  }));
}

function builtIn(snapshot: PlannedSnapshot, field: (typeof BUILT_INS)[number]): string | null {
  return field === 'published_at' ? shownTime(snapshot.published_at) : snapshot[field];
}

/** Fields are the same by their id, whatever they are called: those of the type in their order, then those that it has lost. */
function fields({ fields: present }: CompiledType, from: Snapshot | null, to: PlannedSnapshot): Part[] {
  const [before, after] = [fieldsById(from), fieldsById(to)];
  const names = new Map(present.map(({ id, name }) => [id, name]));
  const ids = new Set([...names.keys(), ...before.keys(), ...after.keys()]);
  return [...ids].map((id) => fieldPart(names.get(id) ?? null, before.get(id) ?? null, after.get(id) ?? null));
}

function fieldsById(snapshot: PlannedSnapshot | null): ReadonlyMap<string, SnapshotField> {
  return new Map(snapshot?.fields.map((field) => [field.id, field]));
}

function fieldPart(name: string | null, from: SnapshotField | null, to: SnapshotField | null): Part {
  const last = to ?? from ?? { id: '', name: null, type: null };
  const isText = last.type !== null && kindOf(last.type).isProse;
  return { field: name ?? last.name ?? last.id, kind: 'field', from: valueOf(from), to: valueOf(to), isText };
}

function valueOf(field: SnapshotField | null): unknown {
  return field?.value ?? null;
}

function taxonomies(from: Snapshot | null, to: PlannedSnapshot): Part[] {
  const names = new Set([...Object.keys(from?.terms ?? {}), ...Object.keys(to.terms)]);
  return [...names].map((field) => ({
    field,
    kind: 'taxonomy',
    from: from?.terms[field] ?? [],
    to: to.terms[field] ?? [],
  }));
}
