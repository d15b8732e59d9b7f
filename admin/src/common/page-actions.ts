import { useEffect, useId } from 'react';
import type { IconName } from './icons.js';

/** Something that can be done with what is open. */
export interface PageAction {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const offered = new Map<string, readonly PageAction[]>();

/** Actions for the page that is open now. */
export function pageActions(): readonly PageAction[] {
  return [...offered.values()].flat();
}

/** Offers the palette what can be done here. */
export function usePageActions(...actions: readonly (PageAction | false | null | undefined)[]): void {
  const place = useId();
  const present = actions.filter((action) => !!action);
  // Set again, they keep their place among the others.
  useEffect(() => void offered.set(place, present));
  useEffect(() => () => void offered.delete(place), [place]);
}
