import { createHash } from 'node:crypto';
import type { Caller } from '../../common/access/caller.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import { unsafeValues } from '../../common/http/body/json-extent.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { kindOf } from '../../content-types/kinds/kinds.js';
import type { TermIds } from '../../records/rows/record-row.js';
import type { RelationTargets } from '../../records/writing/relation-targets.js';
import { MAX_TERMS } from '../../taxonomy/assignment/wanted-terms.js';
import { termsIn, partsOf } from '../formats/csv/cell-parts.js';
import type { ImportItem, Leftover, Remark, TermName, Cell, SourceValue } from '../formats/import-entry.js';
import type { TermLookup } from './term-lookup.js';

/** An item as a record of a type would hold it. */
export interface PreparedItem {
  readonly item: ImportItem;
  /** SHA-256 of what distinguishes it from other items of the source. */
  readonly key: string;
  /** SHA-256 of all that is taken of it. */
  readonly hash: string;
  readonly body: RecordBody;
  readonly terms: Readonly<Record<string, readonly TermName[]>>;
  readonly leftovers: readonly Omit<Leftover, 'kind'>[];
  readonly notes: readonly Remark[];
}

/** An item whose terms are known. */
export interface ReadyItem extends PreparedItem {
  readonly termIds: TermIds;
}

/** The item has faults. */
class RefusedItemError extends Error {
  constructor(readonly remarks: readonly Remark[]) {
    super('The item is refused.');
  }
}

interface Circumstances {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  /** The status that every item gets, whatever the file says. */
  readonly status: string | null;
}

const MAX_SHOWN = 60;

/** Items that can be written, and what is wrong with the others. */
interface Prepared {
  readonly ready: readonly ReadyItem[];
  readonly refused: readonly (readonly Remark[])[];
}

/** Makes items ready to be written as records of a type: checks them, and finds or makes their terms. */
export class Preparation {
  constructor(
    private readonly terms: TermLookup,
    private readonly relations: RelationTargets,
    private readonly options: { readonly caller: Caller; readonly status: string | null },
  ) {}

  /** @param now milliseconds since 1970, UTC */
  async of(type: CompiledType, items: readonly ImportItem[], now: number): Promise<Prepared> {
    const refused: (readonly Remark[])[] = [];
    const ready: ReadyItem[] = [];
    for (const item of items) {
      try {
        ready.push(await this.one(type, item, now));
      } catch (error) {
        refused.push(reasons(error, item));
      }
    }
    return { ready, refused };
  }

  private async one(type: CompiledType, item: ImportItem, now: number): Promise<ReadyItem> {
    const sound = prepared(item, type, { now, status: this.options.status });
    await this.relations.requireTargets(type, sound.body, this.options.caller);
    const notes = [...sound.notes];
    const termIds = await this.termIds(sound, notes);
    return { ...sound, notes, termIds };
  }

  /** @param notes takes up which terms are left out: one odd term costs no item */
  private async termIds({ terms, item }: PreparedItem, notes: Remark[]): Promise<TermIds> {
    const ids: Record<string, number[]> = {};
    for (const [taxonomy, names] of Object.entries(terms)) {
      const own = new Set<number>();
      for (const name of names) {
        try {
          own.add(await this.terms.idOf(taxonomy, name));
        } catch (error) {
          if (!(error instanceof ValidationError)) throw error;
          const message = `The ${taxonomy} "${visible(name.name)}" is left out: ${error.message}`;
          notes.push({ file: item.file, line: item.line, message });
        }
      }
      ids[taxonomy] = [...own];
    }
    return ids;
  }
}

/** Controls and marks of direction as their numbers, since they would change how the rest of the line looks. */
function visible(text: string): string {
  const short = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
  return short.replace(
    /\p{C}/gu,
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

function reasons(error: unknown, item: ImportItem): readonly Remark[] {
  if (error instanceof RefusedItemError) return error.remarks;
  if (error instanceof ValidationError) return remarksOf(error, item);
  throw error;
}

/** Reasons for which an item is refused, each with the line of the value that is meant. */
export function remarksOf(error: ValidationError, item: ImportItem): Remark[] {
  return error.faults.map((fault) => remarkOf(fault, item));
}

/** The same for one item of a source in every run. */
export function externalKey(type: string, { key }: ImportItem): string {
  return sha256([type, key]);
}

/** Makes of an item what a record of the type can hold. @throws {RefusedItemError} with every problem of the item */
function prepared(item: ImportItem, type: CompiledType, circumstances: Circumstances): PreparedItem {
  const { status, note } = statusOf(item, circumstances);
  const raw: Record<string, unknown> = { title: item.title, status, body: item.body };
  if (item.slug !== null) raw.slug = item.slug;
  if (item.locale !== null) raw.locale = item.locale;
  if (status !== 'draft' && item.publishedAt !== null) raw.published_at = new Date(item.publishedAt).toISOString();
  const { fields, terms, leftovers } = sorted(item, type);
  const problems = [...item.problems, ...tooMany(item, terms)];
  const body = checked({ ...raw, ...fields }, item, type, problems);
  const hash = sha256([body, terms, item.createdAt]);
  const notes = note === null ? item.notes : [...item.notes, note];
  return { item, key: externalKey(type.name, item), hash, body, terms, leftovers, notes };
}

/** The status of an item: one that is not yet to be seen must not be seen earlier for having been imported. */
function statusOf(item: ImportItem, { now, status }: Circumstances): { status: string; note: Remark | null } {
  const wanted = status ?? item.status ?? 'draft';
  if (wanted === 'draft' || item.publishedAt === null || item.publishedAt <= now) return { status: wanted, note: null };
  const message = 'Its date is in the future, so it becomes a draft.';
  return { status: 'draft', note: { file: item.file, line: item.line, message } };
}

/** Sorts values into fields of the type, terms, and the rest. */
function sorted(
  { values, terms, file }: ImportItem,
  type: CompiledType,
): Pick<PreparedItem, 'terms' | 'leftovers'> & { fields: Record<string, unknown> } {
  const fields: Record<string, unknown> = {};
  const assigned = new Map(Object.entries(terms).filter(([taxonomy]) => type.taxonomies.includes(taxonomy)));
  const leftovers = Object.keys(terms)
    .filter((taxonomy) => !type.taxonomies.includes(taxonomy))
    .map((taxonomy) => ({ ...noTaxonomy(taxonomy, type), file, line: 0 }));
  for (const [name, given] of Object.entries(values)) {
    const field = type.fieldsByName.get(name);
    if (field) fields[name] = fieldValue(field, given);
    else if ('cell' in given && type.taxonomies.includes(name)) assigned.set(name, termsIn(given));
    else leftovers.push({ ...noField(name, type), file, line: given.line });
  }
  return { fields, terms: Object.fromEntries(assigned), leftovers };
}

function noField(name: string, { name: type }: CompiledType): { what: string; reason: string } {
  const shown = name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN)}…`;
  return { what: `values of "${shown}"`, reason: `The type ${type} has no field of this name.` };
}

function noTaxonomy(name: string, { name: type }: CompiledType): { what: string; reason: string } {
  return { what: `terms of "${name}"`, reason: `The type ${type} has no taxonomy of this name.` };
}

function tooMany({ file, line }: ImportItem, terms: PreparedItem['terms']): Remark[] {
  return Object.entries(terms)
    .filter(([, names]) => names.length > MAX_TERMS)
    .map(([name]) => ({ file, line, message: `It has more than ${MAX_TERMS} terms of ${name}.` }));
}

function checked(raw: object, item: ImportItem, type: CompiledType, problems: readonly Remark[]): RecordBody {
  const [body, faults] = attempt(raw, type);
  const remarks = [...problems, ...faults.map((fault) => remarkOf(fault, item))];
  if (remarks.length > 0) throw new RefusedItemError(remarks);
  return body;
}

function attempt(raw: object, type: CompiledType): [RecordBody, readonly Fault[]] {
  const unsafe = unsafeValues(raw);
  if (unsafe.length > 0) return [{}, unsafe];
  try {
    return [type.requireCreate(raw), []];
  } catch (error) {
    if (error instanceof ValidationError) return [{}, error.faults];
    throw error;
  }
}

/** A fault of a field stands on the line of its value. */
function remarkOf({ field, message }: Fault, { file, line, values }: ImportItem): Remark {
  const name = field.split('.', 1)[0] ?? '';
  return { file, line: values[name]?.line ?? line, message };
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** A value of a file as a field has it. One that does not fit stays as it is, and the rules of the type refuse it. */
export function fieldValue(field: Field, given: SourceValue | Cell): unknown {
  const kind = kindOf(field.type);
  const hasItems = kind.maxItems(field) !== undefined;
  if ('cell' in given) {
    return hasItems ? partsOf(given).map((part) => kind.fromCell(part, field)) : kind.fromCell(given.cell, field);
  }
  return hasItems ? itemsOf(given).map((item) => kind.fromValue(item, field)) : kind.fromValue(given.value, field);
}

function itemsOf({ value }: SourceValue): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
