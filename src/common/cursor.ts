import { createHash } from 'node:crypto';
import { DomainError } from './errors/domain-error.js';

/** Where a list goes on: behind the item with these sort values. */
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
