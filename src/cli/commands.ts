import { auditCommands } from './commands/audit.js';
import { backupCommands } from './commands/backup.js';
import type { Command } from './command.js';
import { draftCommands } from './commands/drafts.js';
import { doctor } from './doctor/doctor.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { migrateCommand } from './commands/migrate.js';
import { openapi } from './commands/openapi.js';
import { restoreCommand } from './commands/restore.js';
import { searchCommands } from './commands/search.js';
import { secretCommands } from './commands/secrets.js';
import { tokenCommands } from './commands/token.js';
import { typeCommands } from './commands/type.js';
import { userCommands } from './commands/user.js';

export const COMMANDS: readonly Command[] = [
  ...tokenCommands,
  ...userCommands,
  ...secretCommands,
  ...auditCommands,
  ...typeCommands,
  ...draftCommands,
  ...backupCommands,
  restoreCommand,
  ...searchCommands,
  importCommand,
  exportCommand,
  migrateCommand,
  openapi,
  doctor,
];
