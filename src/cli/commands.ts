import { auditCommands } from './audit.js';
import { backupCommands } from './backup.js';
import type { Command } from './command.js';
import { doctor } from './doctor/doctor.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { migrateCommand } from './migrate.js';
import { keyCommands } from './key.js';
import { openapi } from './openapi.js';
import { restoreCommand } from './restore.js';
import { searchCommands } from './search.js';
import { secretCommands } from './secret.js';
import { sessionCommands } from './sessions.js';
import { tokenCommands } from './token.js';
import { typeCommands } from './type.js';
import { userCommands } from './user.js';

/** All that the command line can do, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...tokenCommands,
  ...userCommands,
  ...sessionCommands,
  ...keyCommands,
  ...secretCommands,
  ...auditCommands,
  ...typeCommands,
  ...backupCommands,
  restoreCommand,
  ...searchCommands,
  importCommand,
  exportCommand,
  migrateCommand,
  openapi,
  doctor,
];
