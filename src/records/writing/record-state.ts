import { isTime } from '../../common/text/time-text.js';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType, RecordBody, Status } from '../../content-types/definition/content-type.js';
import { isReference } from '../../content-types/kinds/field.js';
import { requireSound } from '../rows/record-cells.js';
import { storedTerms, termsOf, valuesOf, type FieldValues, type RecordRow, type TermIds } from '../rows/record-row.js';
import type { Authorship } from '../rows/actors.js';

const DEFAULT_LOCALE = 'en';
/** Characters (code points) of a record: of its title, its body, and its fields but relations as JSON, together. */
const MAX_CHARACTERS = 1_048_576;

/** JSON texts of values, which take long to make where there are tens of thousands. */
const texts = new WeakMap<FieldValues, string>();
const states = new WeakMap<RecordRow, RecordState>();

/** The part of a record that a write may set. */
export interface RecordState {
  readonly title: string;
  readonly slug: string;
  readonly locale: string;
  readonly status: Status;
  /** Milliseconds since 1970, UTC. */
  readonly publishedAt: number | null;
  readonly body: string | null;
  readonly values: FieldValues;
  readonly terms: TermIds;
}

/**
 * The refusal of a state that does not fit into a record, `payload_too_large`; `null`: it fits.
 *
 * @param before what it replaces: a record that is too long already may stay as long
 */
export function excessOf(type: CompiledType, state: RecordState, before?: RecordState): DomainError | null {
  if (unitsOf(state) <= MAX_CHARACTERS) return null;
  const characters = charactersOf(type, state);
  if (characters <= MAX_CHARACTERS || (before && characters <= charactersOf(type, before))) return null;
  return new DomainError(
    'payload_too_large',
    `A record has at most ${MAX_CHARACTERS} characters in title, body and fields together; these would be ${characters}.`,
  );
}

/** @throws {DomainError} {@link excessOf} */
export function requireSize(type: CompiledType, state: RecordState, before?: RecordState): void {
  const excess = excessOf(type, state, before);
  if (excess) throw excess;
}

/** Units of UTF-16: at least as many as there are characters. */
export function unitsOf({ title, body, values }: RecordState): number {
  return title.length + (body?.length ?? 0) + storedValues(values).length;
}

/** Relations do not count: what a client sends as an id is kept with its type. */
function charactersOf({ fields }: CompiledType, { title, body, values }: RecordState): number {
  const relations = new Set(fields.filter(isReference).map(({ id }) => id));
  const counted = Object.entries(values).filter(([id]) => !relations.has(id));
  return [title, body ?? '', JSON.stringify(Object.fromEntries(counted))].reduce(
    (sum, text) => sum + lengthOf(text),
    0,
  );
}

/** A character outside of the first plane of Unicode is two units of UTF-16: the first of them is not counted. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) length += 1;
  return length;
}

/** The stored form of values: made once for the ones of a state. */
function storedValues(values: FieldValues): string {
  const known = texts.get(values) ?? JSON.stringify(values);
  texts.set(values, known);
  return known;
}

/** The state of a new record, apart from a slug that is still to be found. */
export function initialState(type: CompiledType, body: RecordBody, now: number): RecordState {
  const status = (body.status as Status | undefined) ?? 'draft';
  return {
    title: body.title as string,
    slug: (body.slug as string | undefined) ?? '',
    locale: (body.locale as string | undefined) ?? DEFAULT_LOCALE,
    status,
    publishedAt: publishedAt(null, status, body, now),
    body: (body.body as string | null | undefined) ?? null,
    values: mergedValues(type, {}, body),
    terms: {},
  };
}

/**
 * The state of a row is made once: values that a change keeps are then the very same ones.
 *
 * @throws {DomainError} `record_damaged`
 */
export function stateOf(row: RecordRow): RecordState {
  const known = states.get(row);
  if (known) return known;
  requireSound(row);
  const { title, slug, trashed_slug: trashedSlug, locale, status, published_at: publishedAt, body } = row;
  const texts = { title, slug: slug ?? trashedSlug ?? '', locale, status, publishedAt, body };
  const state = { ...texts, values: valuesOf(row), terms: termsOf(row) };
  states.set(row, state);
  return state;
}

/** The part of a row that a write keeps, or counts on from. */
type FormerRow = Pick<
  RecordRow,
  'id' | 'type_id' | 'version' | 'created_by' | 'created_at' | 'published_at' | 'first_published_at'
>;

/** A record that was just written, outside the trash. */
export interface WrittenRow extends RecordRow {
  readonly slug: string;
}

/** A record as it was just written: what reading it would find. */
export function writtenRow(before: FormerRow, state: RecordState, { actor, at }: Authorship): WrittenRow {
  const { published_at: publishedBefore, first_published_at: firstPublishedAt } = before;
  return {
    id: before.id,
    type_id: before.type_id,
    locale: state.locale,
    slug: state.slug,
    title: state.title,
    status: state.status,
    version: before.version + 1,
    created_by: before.created_by,
    updated_by: actor,
    created_at: before.created_at,
    updated_at: at,
    published_at: state.publishedAt,
    // The time that is kept for the next publication.
    first_published_at: state.publishedAt === null ? (publishedBefore ?? firstPublishedAt) : firstPublishedAt,
    trashed_at: 0,
    body: state.body,
    data: storedValues(state.values),
    trashed_slug: null,
    terms: storedTerms(state.terms),
  };
}

/** The state of a record after a change: what was not sent stays, `null` clears. */
export function mergedState(type: CompiledType, row: RecordRow, body: RecordBody, now: number): RecordState {
  const state = stateOf(row);
  const status = (body.status as Status | undefined) ?? state.status;
  const next = {
    title: (body.title as string | undefined) ?? state.title,
    slug: (body.slug as string | undefined) ?? state.slug,
    locale: (body.locale as string | undefined) ?? state.locale,
    status,
    publishedAt: publishedAt(row, status, body, now),
    body: body.body === undefined ? state.body : (body.body as string | null),
    values: mergedValues(type, state.values, body),
    terms: state.terms,
  };
  return withDefaults(type, next, body);
}

/**
 * The state with the defaults of required fields that have no value, if it is public.
 *
 * @param body says which values are taken away: they are faults, and are not replaced
 */
export function withDefaults({ fields }: CompiledType, state: RecordState, body: RecordBody = {}): RecordState {
  if (state.status !== 'published') return state;
  const missing = fields.filter(
    ({ id, name, required, default: value }) =>
      required && value !== undefined && body[name] !== null && (state.values[id] ?? null) === null,
  );
  if (missing.length === 0) return state;
  const defaults = missing.map(({ id, default: value }) => [id, value] as const);
  return { ...state, values: { ...state.values, ...Object.fromEntries(defaults) } };
}

/** The parts of a state that compare by `===`. */
const PLAIN_PARTS = [
  'title',
  'slug',
  'locale',
  'status',
  'publishedAt',
  'body',
] as const satisfies (keyof RecordState)[];

/** True if a write of `next` would change nothing. */
export function isSame(row: RecordRow, next: RecordState): boolean {
  const state = stateOf(row);
  for (const part of PLAIN_PARTS) if (state[part] !== next[part]) return false;
  return storedTerms(state.terms) === storedTerms(next.terms) && isSameJson(state.values, next.values);
}

/** Values of fields that the type no longer has are kept: a rollback may bring the field back. */
function mergedValues({ fields }: CompiledType, before: FieldValues, body: RecordBody): FieldValues {
  const sent = fields.filter(({ name }) => body[name] !== undefined);
  if (sent.length === 0) return before;
  const kept = Object.entries(before).filter(([id]) => !sent.some((field) => field.id === id));
  const set = sent.filter(({ name }) => body[name] !== null).map(({ id, name }) => [id, body[name]] as const);
  return Object.fromEntries([...kept, ...set]);
}

/**
 * Set when a record is published for the first time, and cleared while it is a draft: published again it has that time
 * again. A back-date may be sent.
 */
function publishedAt(row: RecordRow | null, status: Status, body: RecordBody, now: number): number | null {
  const sent = body.published_at as string | null | undefined;
  if (typeof sent === 'string') return backDate(Date.parse(sent), status, now);
  if (status === 'draft') return null;
  if (row === null) return status === 'published' ? now : null;
  const { publishedAt: known } = stateOf(row);
  return status === 'archived' || row.status === 'published' ? known : (known ?? formerTime(row, now));
}

/** The time of the first publication, even if the record was a draft since. */
function formerTime({ first_published_at: at }: RecordRow, now: number): number {
  return isTime(at) ? at : now;
}

function backDate(at: number, status: Status, now: number): number {
  const fault = (message: string) => new ValidationError([{ field: 'published_at', rule: 'back_date', message }]);
  if (status === 'draft') throw fault('published_at can only be set on a published record.');
  if (at > now) throw fault('published_at must not be in the future.');
  return at;
}
