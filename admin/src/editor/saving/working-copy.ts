import type { ContentRecord, Draft } from '../../model.js';
import { copiesOf, dataOf } from '../../queries.js';
import { client } from '../../service.js';
import { bodyOf, withTermParts } from './parts.js';
import type { Values } from './save-queue.js';

/** A record as it is, and as its working copy would make it. */
export interface Opened {
  readonly record: ContentRecord;
  /** As the copy would make it, with the terms of each taxonomy as a part. */
  readonly current: ContentRecord;
  readonly draft: Draft | null;
}

interface CopyAnswer {
  readonly data: ContentRecord;
  readonly meta: { readonly draft: Draft | null };
}

const addressOf = ({ type, id }: Pick<ContentRecord, 'type' | 'id'>): string => `/api/cms/${type}/${id}`;

/**
 * Reads a record with what is written of it and not applied yet.
 *
 * @param seesDrafts whether the caller may see that; others see the record
 */
async function open(type: string, id: string, seesDrafts = true): Promise<Opened> {
  const path = `/api/cms/${type}/${id}`;
  const [record, copies] = await Promise.all([
    client.request('GET', path).then(dataOf<ContentRecord>),
    // Asked for by the list, since a copy that is missing would be an error.
    seesDrafts ? copiesOf(type, [Number(id)]) : new Set<number>(),
  ]);
  if (!copies.has(record.id)) return unedited(record);
  const { data, meta } = (await client.request('GET', `${path}/draft`)) as CopyAnswer;
  return { record, current: withTermParts(data, meta.draft), draft: meta.draft };
}

/**
 * Makes a new record, a draft.
 *
 * @param key makes one record of all tries with it
 */
async function create(type: string, values: Values, key: string): Promise<Opened> {
  const call = { body: bodyOf(values), headers: { 'Idempotency-Key': key } };
  const record = await client.request('POST', `/api/cms/${type}`, call).then(dataOf<ContentRecord>);
  return unedited(record);
}

/** Writes values into the working copy, if it and its record are what was read. */
async function save({ record, draft }: Opened, values: Values): Promise<Opened> {
  const version = draft === null ? record.version : `d${draft.version}`;
  const headers = { 'If-Match': `"${version}"` };
  const call = { body: bodyOf(values), headers, query: { record_version: record.version } };
  const copy = (await client.request('PATCH', `${addressOf(record)}/draft`, call)) as CopyAnswer;
  return { record, current: withTermParts(copy.data, copy.meta.draft), draft: copy.meta.draft };
}

/** Folds the working copy into the record, whose status stays: one revision for all that was typed. */
async function apply(opened: Opened, key: string): Promise<Opened> {
  if (opened.draft === null) return opened;
  return become(opened, 'draft/apply', { body: { draft_version: opened.draft.version }, key, isAsRead: true });
}

/** Makes public what is written, and nothing that this page has not read. */
function publish(opened: Opened, key: string): Promise<Opened> {
  return become(opened, 'publish', { body: { draft_version: opened.draft?.version ?? null }, key, isAsRead: true });
}

/** Takes a record away from the public. What is written and not public yet stays: it is read anew, with what others have done. */
async function unpublish({ record, ...rest }: Opened): Promise<Opened> {
  const { type, id, version } = record;
  const { status } = (await become({ record, ...rest }, 'unpublish', { body: {} })).record;
  try {
    return await open(type, String(id));
  } catch {
    // Under the version that was read before, so that the next write looks what others have done.
    return { record: { ...record, status, version }, current: { ...rest.current, status }, draft: rest.draft };
  }
}

/** Gives up what is written and not applied yet, as far as this page has read it. */
async function discard({ record, draft }: Opened): Promise<Opened> {
  const headers = { 'If-Match': `"d${draft?.version}"` };
  if (draft !== null) await client.request('DELETE', `${addressOf(record)}/draft`, { headers });
  return unedited(record);
}

interface Step {
  readonly body: object;
  /** Makes one step of all tries with it. */
  readonly key?: string;
  /** True if the record must be what was read. */
  readonly isAsRead?: boolean;
}

async function become({ record }: Opened, step: string, { body, key, isAsRead = false }: Step): Promise<Opened> {
  const headers = {
    ...(key !== undefined && { 'Idempotency-Key': `${step}-${key}` }),
    ...(isAsRead && { 'If-Match': `"${record.version}"` }),
  };
  const call = { body, headers };
  const next = await client.request('POST', `${addressOf(record)}/${step}`, call).then(dataOf<ContentRecord>);
  return unedited(next);
}

function unedited(record: ContentRecord): Opened {
  return { record, current: withTermParts(record), draft: null };
}

/** The requests of an editor. */
export const copies = { open, create, save, apply, publish, unpublish, discard };

export type Copies = typeof copies;
