import { useEffect } from 'react';

const MOST = 8;

/** A record that was opened on this device. */
export interface Recent {
  readonly type: string;
  readonly id: number;
  readonly title: string;
}

const keyOf = (user: number) => `content-console recent ${user}`;
const isSame = (a: Pick<Recent, 'type' | 'id'>, b: Pick<Recent, 'type' | 'id'>) => a.type === b.type && a.id === b.id;

/** Records that a person has opened on this device, the last one first. */
export function readRecent(user: number): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** A list with a record as its first. */
export function withRecent(kept: readonly Recent[], opened: Recent): readonly Recent[] {
  return [opened, ...kept.filter((one) => !isSame(one, opened))].slice(0, MOST);
}

/** Hits with those first that were opened before, the last one first of all. */
export function recentFirst<Hit extends Pick<Recent, 'type' | 'id'>>(
  hits: readonly Hit[],
  recent: readonly Recent[],
): readonly Hit[] {
  const opened = recent.flatMap((one) => hits.filter((hit) => isSame(hit, one)));
  return [...opened, ...hits.filter((hit) => !opened.includes(hit))];
}

/** Remembers that a record is open. */
export function useRecent(user: number | undefined, type: string, id: number | undefined, title: string): void {
  useEffect(() => {
    if (user === undefined || id === undefined) return;
    try {
      localStorage.setItem(keyOf(user), JSON.stringify(withRecent(readRecent(user), { type, id, title })));
    } catch {
      // A window that keeps nothing has no such list.
    }
  }, [user, type, id, title]);
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id, title } = value as Partial<Recent>;
  return typeof type === 'string' && typeof id === 'number' && typeof title === 'string';
}
