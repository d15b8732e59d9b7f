import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutRightsOfOthers } from '../../src/config/values/private-files.js';
import { call, Child, production } from '../support/child-service.js';

describe('Files of the service', () => {
  let folder: string;
  let file: string;
  let dataDir: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-private-'));
    chmodSync(folder, 0o755);
    file = join(folder, 'cms.sqlite');
    dataDir = join(folder, 'data');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const environment = (): Record<string, string> => ({
    ...production({ url: `sqlite:${file}` }),
    DATA_DIR: dataDir,
  });
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  /** What others may do with anything of the service. */
  const open = (): string[] => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
  };

  async function migrated(): Promise<void> {
    const { code } = await new Child('cli.js', ['migrate'], environment()).ended;
    expect(code).toBe(0);
  }

  it("are its owner's alone, whichever program makes them", async () => {
    await migrated();
    expect(modeOf(file)).toBe('600');
    const child = new Child('main.js', [], environment());
    const url = await child.address();
    const body = { email: 'ann@example.com', name: 'Ann', role: 'viewer' };
    expect((await call(url, 'POST', '/api/auth/invitations', body)).status).toBe(201);
    while (!existsSync(join(dataDir, 'outbox'))) await new Promise((resolve) => setTimeout(resolve, 20));

    expect([modeOf(`${file}-wal`), modeOf(`${file}-shm`), modeOf(dataDir)]).toEqual(['600', '600', '700']);
    await child.kill('SIGTERM');
    expect(open()).toEqual([]);
  });

  it('that were open to others are closed at the start', async () => {
    await migrated();
    mkdirSync(dataDir);
    for (const part of ['-wal', '-shm']) writeFileSync(`${file}${part}`, '');
    for (const [path, mode] of [
      [dataDir, 0o755],
      [file, 0o644],
      [`${file}-wal`, 0o664],
      [`${file}-shm`, 0o666],
    ] as const) {
      chmodSync(path, mode);
    }

    const child = new Child('main.js', [], environment());
    await child.address();

    expect([dataDir, file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['700', '600', '600', '600']);
    expect(child.log.filter(({ msg }) => String(msg).includes('may be open to other users'))).toEqual([]);
    await child.kill('SIGTERM');
  });

  it('that cannot be closed are named, and the service starts', () => {
    // What stands in the way of a folder cannot be changed by root either.
    writeFileSync(join(folder, 'plain'), '');
    const path = join(folder, 'plain', 'data');

    expect(withoutRightsOfOthers({ dataDir: path, database: { kind: 'sqlite', file } })).toEqual([
      `${path} may be open to other users of this machine: ENOTDIR. Run: chmod go= ${path}`,
    ]);
  });
});
