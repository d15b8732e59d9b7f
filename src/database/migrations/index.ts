import { Initial1790000000001 } from './1790000000001-initial.js';

/** All migrations, oldest first. A released one never changes; a new one is called `Expand…` and only adds (docs/adr/0039). */
export const migrations = [Initial1790000000001];
