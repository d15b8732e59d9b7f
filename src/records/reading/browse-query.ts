import { fingerprintOf, readCursor, type Cursor } from '../../common/envelope.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import {
  asSent,
  ENTRIES,
  invalidQuery,
  PAGE,
  readQuery,
  severalOf,
  type PageQuery,
} from '../../common/http/url-query.js';
import { STATUSES, type CompiledType, type Status } from '../../content-types/definition/content-type.js';
import { isReference } from '../../content-types/kinds/field.js';
import { filterOf, unknownProperty, type Filter } from './filters.js';
import { ownProperty, propertyOf, type Property } from './properties.js';
import { BUILT_IN_KEYS } from '../rows/record-views.js';

/** One key to sort by. */
export interface SortKey {
  readonly property: Property;
  readonly isDescending: boolean;
}

/** A list request, read and checked. */
export interface BrowseQuery extends PageQuery {
  readonly statuses: readonly Status[];
  readonly sort: readonly SortKey[];
  readonly filters: readonly Filter[];
  readonly cursor: Cursor | null;
  readonly isCounted: boolean;
  readonly selection: Selection;
  /** Fingerprint of everything but the position, so that a cursor is not used for another list. */
  readonly fingerprint: string;
}

/** The parts of records that an answer shows. */
export interface Selection {
  /** `null`: all. */
  readonly fields: ReadonlySet<string> | null;
  /** Dotted paths of relations to put in place of references. */
  readonly expand: readonly (readonly string[])[];
}

/** Statuses of a query: all where none is asked for. */
export const STATUS = severalOf(STATUSES, 'status', STATUSES);
/** True if a list says how many items it has. */
export const COUNT = isCounted;
/** Parameters of a {@link Selection}. */
export const SELECTION = { fields: ENTRIES, expand: ENTRIES };
const PARAMETERS = { ...PAGE, status: STATUS, sort: ENTRIES, ...SELECTION, cursor: asSent, count: COUNT };
const FILTER = /^filter\[([^[\]]+)\](?:\[([a-z]+)\])?$/;
const MAX_EXPAND_DEPTH = 2;
const MAX_SORT_KEYS = 4;
const MAX_FILTERS = 20;

/** @throws {DomainError} `invalid_query` or `invalid_cursor`, naming the parameter */
export function browseQuery(type: CompiledType, query: URLSearchParams): BrowseQuery {
  const sent = readQuery(query, PARAMETERS, { pattern: FILTER, shown: 'filter[…]' });
  const { page, cursor } = sent;
  const sort = sortOf(type, sent.sort);
  const fingerprint = fingerprintOf(narrowing(type, query));
  if (cursor !== null && query.has('page')) {
    throw invalidQuery('page', 'exclusive', 'Send either page or cursor: a cursor knows its page.');
  }
  return {
    page,
    perPage: sent.per_page,
    sort,
    fingerprint,
    statuses: sent.status,
    filters: filtersOf(type, query),
    cursor: cursor === null ? null : readCursor(cursor, fingerprint, sort.length),
    isCounted: sent.count,
    selection: selectionOf(type, sent),
  };
}

/** `fields` and `expand` of a query; they mean the same on one record and on a list. */
export function selectionOf(
  type: CompiledType,
  { fields, expand }: Readonly<Record<keyof Selection, readonly string[] | null>>,
): Selection {
  return { fields: fieldsOf(type, fields), expand: expansionsOf(type, expand) };
}

/** The filters and the order of a list. Entries are joined in their order: sent in any way, they are the same list. */
function narrowing({ id }: CompiledType, query: URLSearchParams): readonly unknown[] {
  const filters = [...query].filter(([name]) => name.startsWith('filter['));
  const several = ['sort', 'status'].filter((name) => query.has(name));
  return [id, [...filters, ...several.map((name) => [name, query.getAll(name).join(',')])].sort()];
}

/** By default the newest first. Ends with the id, so that no two records ever stand level. */
function sortOf(type: CompiledType, asked: readonly string[] | null): SortKey[] {
  const keys = (asked ?? ['-created_at']).map((item) => sortKey(type, item));
  if (keys.length > MAX_SORT_KEYS) throw invalidQuery('sort', 'max', `Sort by at most ${MAX_SORT_KEYS} fields.`);
  return [...keys, ...tieBreakers(keys)];
}

/** The index of a field goes on with the time of creation: sorting by the field alone follows it to the end. */
function tieBreakers(keys: readonly SortKey[]): SortKey[] {
  if (keys.some(({ property }) => property === ownProperty('id'))) return [];
  const isFieldAlone = keys.length === 1 && keys[0]?.property.fieldKey !== null;
  const names = isFieldAlone ? (['created_at', 'id'] as const) : (['id'] as const);
  return names.map((name) => ({ property: ownProperty(name), isDescending: keys.at(-1)?.isDescending ?? true }));
}

function sortKey(type: CompiledType, item: string): SortKey {
  const isDescending = item.startsWith('-');
  const name = isDescending ? item.slice(1) : item;
  const property = propertyOf(type, name);
  if (!property) throw unsortable(type, name);
  if (!property.isSortable)
    throw invalidQuery('sort', 'unknown', `${name} has several values, and ${type.name} cannot be sorted by it.`);
  return { property, isDescending };
}

function unsortable(type: CompiledType, name: string): DomainError {
  const [, wanted, direction] = /^([^: ]+)[: ](asc|desc)$/i.exec(name) ?? [];
  if (wanted === undefined || propertyOf(type, wanted) === null) return unknownProperty(type, 'sort', name);
  const sign = direction?.toLowerCase() === 'desc' ? '-' : '';
  return invalidQuery('sort', 'unknown', `Write sort=${sign}${wanted}: a - before a name turns it around.`);
}

function filtersOf(type: CompiledType, query: URLSearchParams): Filter[] {
  const found = [...query].flatMap(([name, value]) => {
    const match = FILTER.exec(name);
    return match ? [filterOf(type, { parameter: name, field: match[1] ?? '', op: match[2] ?? 'eq', value })] : [];
  });
  if (found.length > MAX_FILTERS) throw invalidQuery('filter', 'max', `Send at most ${MAX_FILTERS} filters.`);
  return found;
}

function isCounted(text: string | null): boolean {
  if (text === null || text === 'exact') return true;
  if (text === 'none') return false;
  throw invalidQuery('count', 'enum', 'count must be none or exact.');
}

function fieldsOf(
  { name: typeName, fieldsByName }: CompiledType,
  names: readonly string[] | null,
): ReadonlySet<string> | null {
  if (names === null) return null;
  const isKnown = (name: string) => fieldsByName.has(name) || BUILT_IN_KEYS.has(name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) throw invalidQuery('fields', 'unknown', `${typeName} has no field ${unknown}.`);
  return new Set(names);
}

function expansionsOf(type: CompiledType, paths: readonly string[] | null): string[][] {
  return (paths ?? []).map((path) => {
    const names = path.split('.');
    const first = type.fieldsByName.get(names[0] ?? '');
    if (!first || !isReference(first))
      throw invalidQuery('expand', 'unknown', `${type.name} has no relation ${names[0] ?? ''}.`);
    if (names.length > MAX_EXPAND_DEPTH) {
      throw invalidQuery('expand', 'depth', `Relations can be expanded over ${MAX_EXPAND_DEPTH} levels.`);
    }
    return names;
  });
}
