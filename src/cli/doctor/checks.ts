import type { Settings } from '../../config/settings.js';
import { adminsCheck, secretCheck, tokensCheck, usersCheck } from './account-checks.js';
import type { Check, OpenDatabase } from './check.js';
import { countsCheck, fieldsCheck, searchCheck } from './derived-checks.js';
import { revisionsCheck, historiesCheck } from './revision-checks.js';
import { sequencesCheck, ownerlessCheck, treesCheck, typesCheck, contentsCheck } from './content-checks.js';
import { clockCheck, jobsCheck, lettersCheck } from './database-checks.js';
import { fileCheck } from './file-check.js';
import { serversCheck } from './servers-check.js';
import { diskCheck, gatewayCheck, mailCheck, settingsCheck } from './settings-checks.js';

/** Checks of the settings alone, in the order of the answer. */
export const SETTINGS_CHECKS: readonly Check<Settings>[] = [settingsCheck, mailCheck, gatewayCheck, diskCheck];

/**
 * Checks of the database once its tables are those of this version, in the order of the answer. What is counted by others
 * is repaired before them: terms are counted by the side index.
 */
export const DATABASE_CHECKS: readonly Check<OpenDatabase>[] = [
  secretCheck,
  serversCheck,
  fileCheck,
  clockCheck,
  jobsCheck,
  lettersCheck,
  adminsCheck,
  usersCheck,
  tokensCheck,
  typesCheck,
  ownerlessCheck,
  treesCheck,
  fieldsCheck,
  countsCheck,
  searchCheck,
  revisionsCheck,
  sequencesCheck,
  contentsCheck,
  historiesCheck,
];
