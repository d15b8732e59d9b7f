import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { sqliteDriverName } from '../../src/database/dialect/sqlite-driver.js';

const PROGRAM = `
const Database = require(process.argv[1]);
const connection = new Database(process.argv[2], { timeout: 20000 });
connection.exec('BEGIN IMMEDIATE');
process.stdout.write('locked');
process.stdin.once('data', () => {
  connection.exec('ROLLBACK');
  process.exit(0);
});
`;

/** Another process that holds the write lock of a file of SQLite. */
export class ForeignLock {
  private constructor(private readonly process: ChildProcess) {}

  static async take(file: string): Promise<ForeignLock> {
    const driver = require.resolve(sqliteDriverName());
    const child = spawn(process.execPath, ['-e', PROGRAM, driver, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return new ForeignLock(child);
  }

  async release(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.stdin?.write('release');
    await ended;
  }
}
