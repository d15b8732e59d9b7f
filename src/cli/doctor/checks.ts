import type { Settings } from '../../config/settings.js';
import { adminsCheck } from './accounts/admins-check.js';
import { secretCheck } from './accounts/secret-check.js';
import { tokensCheck } from './accounts/tokens-check.js';
import { usersCheck } from './accounts/users-check.js';
import type { Check, OpenDatabase } from './check.js';
import { countsCheck } from './content/counts-check.js';
import { fieldsCheck } from './content/fields-check.js';
import { revisionsCheck } from './content/revisions-check.js';
import { searchCheck } from './content/search-check.js';
import { sequencesCheck } from './content/sequences-check.js';
import { sitemapCheck } from './content/sitemap-check.js';
import { ownerlessCheck } from './content/ownerless-check.js';
import { treesCheck } from './content/trees-check.js';
import { typesCheck } from './content/types-check.js';
import { clockCheck } from './database/clock-check.js';
import { fileCheck } from './database/file-check.js';
import { jobsCheck } from './database/jobs-check.js';
import { serversCheck } from './database/servers-check.js';
import { contentsCheck } from './deep/contents-check.js';
import { historiesCheck } from './deep/histories-check.js';
import { diskCheck } from './surroundings/disk-check.js';
import { gatewayCheck } from './surroundings/gateway-check.js';
import { lettersCheck } from './surroundings/letters-check.js';
import { mailCheck } from './surroundings/mail-check.js';
import { settingsCheck } from './surroundings/settings-check.js';

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
  sitemapCheck,
  searchCheck,
  revisionsCheck,
  sequencesCheck,
  contentsCheck,
  historiesCheck,
];
