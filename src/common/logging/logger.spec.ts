import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type DestinationStream } from 'pino';
import { closeLog } from './logger.js';

describe('A log that is closed', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-log-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('has its last line, also where a write of earlier ones is under way', async () => {
    const file = join(folder, 'log');
    const stream = pino.destination({ dest: file, sync: false, minLength: 4_096 });
    const log = pino({ base: null }, stream as DestinationStream);
    await new Promise((resolve) => stream.once('ready', resolve));
    log.info('stopping');
    stream.flush();
    log.info('stopped');

    await new Promise<void>((resolve) => {
      closeLog(log, resolve);
    });
    expect(readFileSync(file, 'utf8')).toMatch(/stopping[^]*stopped/);
  });

  it('has its last line in a pipe as well, which cannot be synchronised', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, 'r+');
    const stream = pino.destination({ fd, sync: false, minLength: 4_096 });
    const log = pino({ base: null }, stream as DestinationStream);
    log.info('stopping');
    stream.flush();
    log.info('stopped');

    await new Promise<void>((resolve) => {
      closeLog(log, resolve);
    });
    const lines = Buffer.alloc(1_024);
    expect(lines.toString('utf8', 0, readSync(fd, lines))).toMatch(/stopping[^]*stopped/);
    stream.destroy();
  });
});
