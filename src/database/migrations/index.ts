import { Initial1790000000001 } from './1790000000001-initial.js';

/**
 * All migrations, oldest first. A released one is never changed. A new one is called `Expand…` and only adds: the version
 * before it goes on working on its tables (docs/adr/0039).
 */
export const migrations = [Initial1790000000001];
