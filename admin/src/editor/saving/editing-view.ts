import { isAlike, isSame } from './copy-writer.js';
import type { Held, KeptEcho } from './echo.js';
import type { SaveState, Values } from './save-queue.js';
import type { Opened } from './working-copy.js';

/** The state that an editor shows. */
export interface EditingView {
  /** `null`: it is new, and not saved yet. */
  readonly opened: Opened | null;
  /** Values that were typed since it was opened. */
  readonly typed: Values;
  /** Contents of inputs that can be saved in no way, by field. */
  readonly held: Readonly<Record<string, Held>>;
  readonly state: SaveState;
  /** The reason why it is not saved. */
  readonly error: unknown;
  /** The time when everything was saved; `null`: nothing was typed yet. */
  readonly savedAt: Date | null;
  /** The number of times that the content of an input was replaced by a value that was not typed there. */
  readonly replaced: Readonly<Record<string, number>>;
  /** True if the device keeps what is not saved. */
  readonly isKept: boolean;
  /** Typed texts that stand in no input: from pages that are gone, or from here before another value replaced them. */
  readonly found: readonly KeptEcho[];
}

/** The content of an input. */
export function valueIn({ typed, opened }: Pick<EditingView, 'typed' | 'opened'>, name: string): unknown {
  return name in typed ? typed[name] : opened?.current[name];
}

/** Typed values that differ from those of the service: blanks at the end of a text stay while a person types on. */
export function stillTyped(typed: Values, { current }: Opened, unsaved: Values): Values {
  const isTyped = ([name, value]: [string, unknown]) => name in unsaved || isAlike(value, current[name]);
  return Object.fromEntries(Object.entries(typed).filter(isTyped));
}

/** A change of a view that has those inputs drawn anew in which something else stands then, and some others. */
export function redrawing(
  before: EditingView,
  change: Partial<EditingView>,
  fields: readonly string[],
): Partial<EditingView> {
  const after = { ...before, ...change };
  const names = new Set([
    ...Object.keys(before.typed),
    ...Object.keys({ ...before.opened?.current, ...after.opened?.current }),
  ]);
  const differing = [...names].filter((name) => !isSame(valueIn(before, name), valueIn(after, name)));
  const replaced = { ...before.replaced };
  for (const name of new Set([...differing, ...fields])) replaced[name] = (replaced[name] ?? 0) + 1;
  return { ...change, replaced };
}
