import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Status } from '../model.js';
import { copies, type Opened } from '../editor/saving/working-copy.js';
import { dataOf } from '../queries.js';
import { client } from '../service.js';

/** The revision that a write has made. */
export interface Revision {
  readonly ts: number;
  readonly created_at: string;
  readonly version: number;
  readonly action: 'create' | 'update' | 'publish' | 'unpublish' | 'restore' | 'rollback' | 'import';
  readonly status: Status;
  readonly changed?: readonly string[];
  readonly author: { readonly name: string };
  readonly current: boolean;
}

/** A part of a record that differs between two states. */
export interface Change {
  readonly field: string;
  readonly kind: 'built_in' | 'field' | 'taxonomy';
  readonly from: unknown;
  readonly to: unknown;
}

interface Diff {
  readonly from: Pick<Revision, 'ts' | 'created_at' | 'version'> | null;
  readonly to: Pick<Revision, 'ts' | 'created_at' | 'version'>;
  readonly changes: readonly Change[];
}

/** The effect of a rollback, planned or done. */
export interface Rollback {
  readonly restored: readonly string[];
  readonly kept: readonly { readonly field: string; readonly reason: string }[];
  readonly skipped: readonly { readonly field: string; readonly reason: string }[];
  readonly changes?: readonly Change[];
}

/** A page of revisions, the newest first. */
export interface RevisionList {
  readonly data: readonly Revision[];
  readonly meta: { readonly total: number };
}

/** The record of a history. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

const addressOf = ({ type, id }: Subject): string => `/api/cms/${type}/${id}`;

/** The newest revisions of a record. @param size how many */
export const revisionsQuery = (of: Subject, size: number) =>
  queryOptions({
    queryKey: ['revisions', of.type, of.id, size],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.request('GET', `${addressOf(of)}/revisions`, {
        signal,
        query: { per_page: size },
      }) as Promise<RevisionList>,
  });

/** Differences between a revision and another one. @param against its `ts`, or `previous` or `current` */
export const diffQuery = (of: Subject, ts: number, against: string) =>
  queryOptions({
    queryKey: ['diff', of.type, of.id, ts, against],
    queryFn: ({ signal }) =>
      client.request('GET', `${addressOf(of)}/revisions/${ts}/diff`, { signal, query: { against } }).then(dataOf<Diff>),
  });

/** A record as it is, and as it would be with what is written and not public yet. */
export const openedQuery = ({ type, id }: Subject, seesDrafts: boolean) =>
  queryOptions({
    queryKey: ['opened', type, id, seesDrafts],
    queryFn: () => copies.open(type, id, seesDrafts),
  });

/** Differences between a record and its changes that are not public yet. */
export function unpublishedOf({ record, current, draft }: Opened): readonly Change[] {
  return (draft?.changed ?? []).map((name) => {
    const [field = name, taxonomy] = name.split('.');
    if (taxonomy === undefined) return { field, kind: 'field', from: record[field], to: current[field] };
    return { field: taxonomy, kind: 'taxonomy', from: record.terms?.[taxonomy], to: current.terms?.[taxonomy] };
  });
}

/** Part of a revision that is brought back. */
export interface RollbackOrder {
  readonly ts: number;
  /** `null`: all of them. */
  readonly fields: readonly string[] | null;
  /** The version of the record that people have seen: another one by now stays as it is. */
  readonly version: number;
  readonly isDryRun: boolean;
}

interface RolledBack {
  /** The record as it is now. */
  readonly data: { readonly version: number };
  readonly meta: { readonly rollback: Rollback };
}

/** Brings a revision back, or only says what that would do. */
export async function rollBack(of: Subject, { ts, fields, version, isDryRun }: RollbackOrder): Promise<RolledBack> {
  const body = { dry_run: isDryRun, ...(fields && { fields }) };
  const headers = { 'If-Match': `"${version}"` };
  return (await client.request('POST', `${addressOf(of)}/rollback/${ts}`, { body, headers })) as RolledBack;
}
