import type { Settings } from '../../config/settings.js';
import type { Check, OpenDatabase } from './check.js';
import { contentsCheck } from './contents-check.js';
import { historiesCheck } from './histories-check.js';
import { lookAlikesCheck } from './look-alikes-check.js';
import { mailCheck } from './mail-check.js';
import { sequencesCheck } from './sequences-check.js';

/** What the settings alone tell, in the order of the answer. */
export const SETTINGS_CHECKS: readonly Check<Settings>[] = [mailCheck];

/** What the database tells once its tables are those of this version, in the order of the answer. */
export const DATABASE_CHECKS: readonly Check<OpenDatabase>[] = [
  sequencesCheck,
  lookAlikesCheck,
  contentsCheck,
  historiesCheck,
];
