import type { Caller } from '../common/access/caller.js';

/** The command line needs access to the database itself, so no scope is worth checking. */
export const OPERATOR: Caller = { kind: 'user', id: null, name: 'command line', scopes: new Set(['*']) };
