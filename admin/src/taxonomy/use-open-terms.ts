import { useState } from 'react';
import type { Taxonomy } from './term-queries.js';

/** A tree of more terms is closed at first. */
const FEW = 60;

export type OpenTerms = ReturnType<typeof useOpenTerms>;

/** The terms of a tree that show the terms below them. */
export function useOpenTerms(taxonomy: Taxonomy | undefined) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [others, setOthers] = useState<ReadonlySet<number>>(new Set());
  const areOpen = chosen ?? (taxonomy?.total ?? 0) <= FEW;
  const isOpen = (id: number) => areOpen !== others.has(id);
  const toggle = (id: number) => setOthers((before) => toggled(before, id));
  return {
    areOpen,
    isOpen,
    toggle,
    open: (id: number) => {
      if (!isOpen(id)) toggle(id);
    },
    toggleAll: () => {
      setChosen(!areOpen);
      setOthers(new Set());
    },
  };
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);
}
