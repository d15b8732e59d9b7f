import { useHotkeys } from '@mantine/hooks';
import { useSingleKeys } from '../keys/use-single-keys.js';

interface Place {
  readonly current: HTMLElement | null;
}

/** Keys that lead to other revisions, and to other changes of a comparison. @param onStep to the one that is older, or younger */
export function useSteps(place: Place, onStep: (by: 1 | -1) => void): void {
  useSingleKeys({ '[': () => onStep(1), ']': () => onStep(-1) });
  useHotkeys([
    ['F7', () => focusChange(place.current, 1)],
    ['shift+F7', () => focusChange(place.current, -1)],
  ]);
}

/** Leads to the next change, or the one before. */
function focusChange(place: HTMLElement | null, by: 1 | -1): void {
  const stops = [...(place?.querySelectorAll<HTMLElement>('[data-change]') ?? [])].flatMap(stopsIn);
  const present = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops.at(present === -1 && by === -1 ? -1 : present + by);
  if (!next) return;
  next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: 'center' });
}

/** The head of a part, and the changes in it but for the first, which is seen with the head. */
function stopsIn(part: HTMLElement): HTMLElement[] {
  const heads = [...part.querySelectorAll<HTMLElement>('h3')];
  const rows = [...part.querySelectorAll<HTMLElement>('[data-step]')];
  const marks = [...part.querySelectorAll<HTMLElement>('del, ins')].filter(isFirst);
  return [...heads, ...(rows.length > 0 ? rows : marks).slice(1)];
}

/** Tells whether a mark begins a change: new words stand right behind the old ones. */
function isFirst({ previousSibling }: HTMLElement): boolean {
  return previousSibling?.nodeName !== 'DEL' && previousSibling?.nodeName !== 'INS';
}
