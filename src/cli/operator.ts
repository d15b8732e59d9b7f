import type { Caller } from '../common/access/caller.js';

/** Whoever can start the command line can read the database anyway, so there is nothing to forbid. */
export const OPERATOR: Caller = { kind: 'user', id: null, name: 'command line', scopes: new Set(['*']) };
