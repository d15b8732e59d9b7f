import type { EditingView } from './editing-view.js';
import type { Values } from './save-queue.js';
import type { Opened } from './working-copy.js';

/** Values that were typed and given up, as far as they can be typed again. */
export interface GivenUp {
  readonly values: Values;
  readonly held: EditingView['held'];
  /** The values in the inputs instead. */
  readonly instead: Values;
  /** Values that clashed with some of these, without a decision. */
  readonly clashing: Values;
}

interface Parts {
  /** Values that were written and not public. */
  readonly written: Values;
  /** Values that were typed and not saved. */
  readonly unsaved: Values;
  /** Fields that clashed. */
  readonly undecided: readonly string[];
  readonly held: EditingView['held'];
  readonly instead: Values;
}

/** Puts together what is given up: of a clash, the side of the service can be typed again, and the other one is offered. */
export function givenUp({ written, unsaved, undecided, held, instead }: Parts): GivenUp {
  const clashing = only(unsaved, (name) => undecided.includes(name) && name in written);
  const theirs = only(written, (name) => name in clashing);
  return { values: { ...written, ...unsaved, ...theirs }, held, clashing, instead };
}

/** The fields that a working copy changes, as it has them. */
export function writtenIn(opened: Opened | null): Values {
  const changed = opened?.draft?.changed ?? [];
  return Object.fromEntries(changed.map((name) => [name, opened?.current[name]]));
}

/** The values whose names fulfil a condition. */
export function only(values: Values, isMeant: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)));
}
