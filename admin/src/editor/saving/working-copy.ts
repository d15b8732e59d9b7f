import type { ContentRecord, Draft } from '../../model.js';
import { copiesOf, dataOf } from '../../queries.js';
import { client } from '../../service.js';
import type { Values } from './save-queue.js';

/** A record as it is, and as its working copy would make it. */
export interface Opened {
  readonly record: ContentRecord;
  /** The record where there is no copy. */
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
export async function open(type: string, id: string, seesDrafts = true): Promise<Opened> {
  const path = `/api/cms/${type}/${id}`;
  const [record, copies] = await Promise.all([
    client.request('GET', path).then(dataOf<ContentRecord>),
    // Asked for by the list, since a copy that is missing would be an error.
    seesDrafts ? copiesOf(type, [Number(id)]) : new Set<number>(),
  ]);
  if (!copies.has(record.id)) return { record, current: record, draft: null };
  const { data, meta } = (await client.request('GET', `${path}/draft`)) as CopyAnswer;
  return { record, current: data, draft: meta.draft };
}

/** Makes a new record, a draft. */
export async function create(type: string, values: Values): Promise<Opened> {
  const record = await client.request('POST', `/api/cms/${type}`, { body: values }).then(dataOf<ContentRecord>);
  return { record, current: record, draft: null };
}

/** Writes values into the working copy. */
export async function save({ record, draft }: Opened, body: Values): Promise<Opened> {
  const version = draft === null ? record.version : `d${draft.version}`;
  const headers = { 'If-Match': `"${version}"` };
  const copy = (await client.request('PATCH', `${addressOf(record)}/draft`, { body, headers })) as CopyAnswer;
  return { record, current: copy.data, draft: copy.meta.draft };
}

/** Folds the working copy into the record, whose status stays: one revision for all that was typed. */
export async function apply(opened: Opened): Promise<Opened> {
  return opened.draft === null ? opened : become(opened, 'draft/apply', { draft_version: opened.draft.version });
}

/** Makes public what is written. */
export function publish(opened: Opened): Promise<Opened> {
  const { draft } = opened;
  return become(opened, 'publish', draft === null ? {} : { draft_version: draft.version });
}

/** Takes a record away from the public. What is written and not public yet stays. */
export async function unpublish(opened: Opened): Promise<Opened> {
  const { record } = await become(opened, 'unpublish', {});
  if (opened.draft === null) return { record, current: record, draft: null };
  return { record, current: { ...opened.current, status: record.status }, draft: opened.draft };
}

/** Gives up what is written and not applied yet. */
export async function discard({ record, draft }: Opened): Promise<Opened> {
  if (draft !== null) await client.request('DELETE', `${addressOf(record)}/draft`);
  return { record, current: record, draft: null };
}

async function become({ record }: Opened, step: string, body: object): Promise<Opened> {
  const next = await client.request('POST', `${addressOf(record)}/${step}`, { body }).then(dataOf<ContentRecord>);
  return { record: next, current: next, draft: null };
}
