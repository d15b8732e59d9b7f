import type { Letter } from './letter.js';

/** A letter that is addressed to one mailbox. */
export interface Mail {
  /** The same at every attempt, so that a mailbox that gets it twice can drop the second copy. */
  readonly id: string;
  readonly to: string;
  readonly letter: Letter;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}
