import { CmsError } from '@content-service/client';
import type { ContentRecord, Draft } from '../model.js';
import { dataOf } from '../queries.js';
import { client } from '../service.js';
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

/** Reads a record with what is written of it and not public yet. */
export async function open(type: string, id: string): Promise<Opened> {
  const path = `/api/cms/${type}/${id}`;
  const record = await client.request('GET', path).then(dataOf<ContentRecord>);
  const copy = (await client.request('GET', `${path}/draft`).catch(unlessMissing)) as CopyAnswer | null;
  return { record, current: copy?.data ?? record, draft: copy?.meta.draft ?? null };
}

/** People who may not see a copy, like all records without one, are answered 403 or 404. */
function unlessMissing(error: unknown): null {
  if (error instanceof CmsError && (error.status === 404 || error.status === 403)) return null;
  throw error;
}

/** Makes a new record, a draft. */
export async function create(type: string, values: Values): Promise<Opened> {
  const record = await client.request('POST', `/api/cms/${type}`, { body: values }).then(dataOf<ContentRecord>);
  return { record, current: record, draft: null };
}

/** Writes values where the public does not see them: into a draft itself, and of anything else into its working copy. */
export async function save({ record, draft }: Opened, values: Values): Promise<Opened> {
  if (record.status === 'draft' && draft === null) {
    const next = await client
      .request('PATCH', addressOf(record), sent(values, record.version))
      .then(dataOf<ContentRecord>);
    return { record: next, current: next, draft: null };
  }
  const version = draft === null ? record.version : `d${draft.version}`;
  const copy = (await client.request('PATCH', `${addressOf(record)}/draft`, sent(values, version))) as CopyAnswer;
  return { record, current: copy.data, draft: copy.meta.draft };
}

function sent(body: Values, version: number | string) {
  return { body, headers: { 'If-Match': `"${version}"` } };
}

/** Makes public what is written. */
export async function publish({ record, draft }: Opened): Promise<Opened> {
  const answer =
    draft === null
      ? client.request('PATCH', addressOf(record), sent({ status: 'published' }, record.version))
      : client.request('POST', `${addressOf(record)}/publish`, { body: { draft_version: draft.version } });
  const next = dataOf<ContentRecord>(await answer);
  return { record: next, current: next, draft: null };
}

/** Takes a record away from the public. What is written and not public yet stays. */
export async function unpublish(opened: Opened): Promise<Opened> {
  const { record, current, draft } = opened;
  const next = await client
    .request('PATCH', addressOf(record), sent({ status: 'draft' }, record.version))
    .then(dataOf<ContentRecord>);
  return { record: next, current: draft === null ? next : { ...current, status: next.status }, draft };
}

/** Gives up what is written and not public yet. */
export async function discard({ record, draft }: Opened): Promise<Opened> {
  if (draft !== null) await client.request('DELETE', `${addressOf(record)}/draft`);
  return { record, current: record, draft: null };
}
