import type { Settings } from '../../config/settings.js';
import { adminsCheck } from './accounts/admins-check.js';
import type { Check, OpenDatabase } from './check.js';
import { contentsCheck } from './deep/contents-check.js';
import { gatewayCheck } from './surroundings/gateway-check.js';
import { historiesCheck } from './deep/histories-check.js';
import { instancesCheck } from './database/instances-check.js';
import { lookAlikesCheck } from './content/look-alikes-check.js';
import { mailCheck } from './surroundings/mail-check.js';
import { secretCheck } from './accounts/secret-check.js';
import { sequencesCheck } from './content/sequences-check.js';
import { tokensCheck } from './accounts/tokens-check.js';

/** Checks of the settings alone, in the order of the answer. */
export const SETTINGS_CHECKS: readonly Check<Settings>[] = [mailCheck, gatewayCheck];

/** Checks of the database once its tables are those of this version, in the order of the answer. */
export const DATABASE_CHECKS: readonly Check<OpenDatabase>[] = [
  secretCheck,
  instancesCheck,
  adminsCheck,
  sequencesCheck,
  tokensCheck,
  lookAlikesCheck,
  contentsCheck,
  historiesCheck,
];
