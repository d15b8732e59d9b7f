import type { PageQuery } from './http/url-query.js';
import { createHash } from 'node:crypto';
import { DomainError } from './errors/domain-error.js';

export interface Envelope<T> {
  readonly data: T;
}

export interface ListMeta {
  /** Number of all matching items; absent when the client asked for `count=none`. */
  readonly total?: number;
  readonly per_page: number;
  readonly current_page: number;
  readonly last_page?: number;
  /** Opaque; `null` on the last page. */
  readonly next_cursor?: string | null;
}

export interface ListEnvelope<T> {
  readonly data: readonly T[];
  readonly meta: ListMeta;
}

/** The number of the last page; an empty list has one page. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

export function pageMeta(total: number, { page, perPage }: PageQuery): ListMeta {
  return { total, per_page: perPage, current_page: page, last_page: lastPage(total, perPage) };
}

/** All of what is never so much that it would need pages. */
export function wholeList<T>(data: readonly T[]): ListEnvelope<T> {
  return { data, meta: pageMeta(data.length, { page: 1, perPage: Math.max(1, data.length) }) };
}

/** The place at which a list goes on: behind the item with these sort values. */
export interface Cursor {
  readonly page: number;
  readonly after: readonly CursorValue[];
}

export type CursorValue = string | number | null;

/** A short mark of everything that makes a list but the position in it. */
export function fingerprintOf(list: unknown): string {
  return createHash('sha1').update(JSON.stringify(list)).digest('base64url').slice(0, 8);
}

/** Opaque to clients; holds nothing but what they have already seen. */
export function writeCursor({ page, after }: Cursor, fingerprint: string): string {
  return Buffer.from(JSON.stringify([fingerprint, page, ...after])).toString('base64url');
}

/** @throws {DomainError} `invalid_cursor`: not one of ours, or made for a list with other filters or another order */
export function readCursor(text: string, fingerprint: string, keys: number): Cursor {
  const [mark, page, ...after] = decode(text);
  const isValue = (value: unknown): value is CursorValue =>
    value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  if (mark !== fingerprint || !isPage(page) || after.length !== keys || !after.every(isValue)) {
    throw new DomainError('invalid_cursor', 'The cursor does not belong to this list. Start again without it.');
  }
  return { page, after };
}

function isPage(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 1;
}

function decode(text: string): unknown[] {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
