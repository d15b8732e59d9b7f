import { Command, type OutputConfiguration } from 'commander';
import type { Act, Define } from './command.js';
import { auditCommands } from './commands/audit.js';
import { backupCommands } from './commands/backup.js';
import { draftCommands } from './commands/drafts.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { migrateCommand } from './commands/migrate.js';
import { openapiCommand } from './commands/openapi.js';
import { restoreCommand } from './commands/restore.js';
import { searchCommands } from './commands/search.js';
import { secretCommands } from './commands/secrets.js';
import { tokenCommands } from './commands/token.js';
import { typeCommands } from './commands/type.js';
import { userCommands } from './commands/user.js';
import { doctorCommand } from './doctor/doctor.js';

const COMMANDS: readonly Define[] = [
  tokenCommands,
  userCommands,
  secretCommands,
  auditCommands,
  typeCommands,
  draftCommands,
  backupCommands,
  restoreCommand,
  searchCommands,
  importCommand,
  exportCommand,
  migrateCommand,
  openapiCommand,
  doctorCommand,
];

/** All commands. What ends one of them early is thrown as a `CommanderError`. */
export function commandLine(act: Act, output: OutputConfiguration = {}): Command {
  const program = new Command('npm run cli --')
    .option('--json', 'Answer in JSON.')
    .configureHelp({
      showGlobalOptions: true,
      optionTerm: ({ flags, mandatory }) => (mandatory ? `${flags} (required)` : flags),
    })
    .configureOutput(output)
    .showHelpAfterError()
    .exitOverride();
  for (const define of COMMANDS) define(program, act);
  return program.addHelpText('before', ({ error }) => {
    const [word = ''] = program.args;
    const isCommand = word !== '' && word !== 'help' && !word.startsWith('-');
    // To those who ask about a command that is not there commander would explain the program. Without `--help` it throws.
    if (!error && isCommand) program.parse([word], { from: 'user' });
    return '';
  });
}
