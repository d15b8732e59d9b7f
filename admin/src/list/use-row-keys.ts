import type { RefObject } from 'react';
import { useSingleKeys } from '../keys/use-single-keys.js';

interface Rows {
  readonly ids: readonly number[];
  readonly onToggle: (id: number) => unknown;
  readonly onClear: () => void;
}

/** Goes from row to row by `j` and `k`, which put the focus on its link, so that Enter opens it; `x` selects the row. */
export function useRowKeys(table: RefObject<HTMLElement | null>, { ids, onToggle, onClear }: Rows): void {
  const rows = () => [...(table.current?.querySelectorAll('tbody tr') ?? [])];
  const present = () => rows().findIndex((row) => row.contains(document.activeElement));
  const go = (step: number) => {
    const all = rows();
    const next = Math.min(Math.max(present() + step, 0), all.length - 1);
    all[next]?.querySelector('a')?.focus();
  };
  const select = () => {
    const id = ids[present()];
    if (id !== undefined) onToggle(id);
  };
  useSingleKeys({ j: () => go(1), k: () => go(-1), x: select, Escape: onClear });
}
