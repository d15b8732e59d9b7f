import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSettings } from '../../src/config/settings.js';
import { blocksOf } from '../support/documented-steps.js';

interface Container {
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly user?: string;
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
}
interface Compose {
  readonly services: Readonly<Record<string, Container>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

/** What a stop takes at most after DRAIN_DELAY_S, seconds: eight for answers, the rest for the database. */
const STOP_SECONDS = 15;

const settings = [...readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(
  ([, name]) => name,
);
const unknownOf = (names: readonly string[]): string[] =>
  names.filter((name) => !settings.includes(name.replace(/_FILE$/, '')));

describe('deploy/compose/compose.yaml', () => {
  const { services, secrets } = parse(readFileSync('deploy/compose/compose.yaml', 'utf8'), { merge: true }) as Compose;
  const own = Object.entries(services).filter(([name]) => /^(?:migrate|service-\d)$/.test(name));
  const instances = own.filter(([name]) => name !== 'migrate');

  it('sets what is a setting, or the file of one that is mounted', () => {
    const environments = own.map(([, { environment = {} }]) => environment);
    const files = environments.flatMap((environment) =>
      Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []),
    );

    expect(own.map(([name]) => name)).toEqual(['migrate', 'service-1', 'service-2']);
    expect(environments.flatMap((environment) => unknownOf(Object.keys(environment)))).toEqual([]);
    expect(new Set(files)).toEqual(new Set(['app_secret', 'database_url']));
    for (const [, { secrets: mounted = [] }] of own) expect(mounted).toEqual(['app_secret', 'database_url']);
    expect(Object.keys(secrets)).toEqual(['app_secret', 'database_password', 'database_url']);
  });

  it('lets no container of the service write but to DATA_DIR and /tmp, nor be root', () => {
    for (const [, container] of own) {
      expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: '1000:1000', tmpfs: ['/tmp'] });
    }
    const volumes = instances.map(([, { volumes: mounted = [] }]) => mounted.map((volume) => volume.split(':')));
    expect(volumes.map((mounted) => mounted.map(([, path]) => path))).toEqual([['/app/data'], ['/app/data']]);
    expect(new Set(volumes.flat().map(([name]) => name)).size).toBe(2);
  });

  it('starts the second instance after the first, and makes backups into a volume that its user may write to', () => {
    const { backup, 'service-2': second } = services;

    expect(second?.depends_on).toMatchObject({ 'service-1': { condition: 'service_healthy' } });
    expect(backup).toMatchObject({ read_only: true, user: '1000:1000', volumes: ['backups:/app/data'] });
    expect(JSON.stringify(backup)).toContain('/app/data/backups');
  });

  it('migrates to the end before an instance starts, and gives a stop the time that it takes', () => {
    for (const [, { depends_on: before, stop_grace_period: grace, environment }] of instances) {
      expect(before?.migrate).toEqual({ condition: 'service_completed_successfully' });
      expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThanOrEqual(
        Number(environment?.DRAIN_DELAY_S) + STOP_SECONDS,
      );
    }
  });
});

describe('The commands of docs/operate/install.md for Docker Compose', () => {
  const block =
    blocksOf('docs/operate/install.md').find(({ text }) => text.includes('secrets/database_url'))?.text ?? '';
  const own = block.split('\n').filter((line) => /^(?!PUBLIC_URL|curl)./.test(line));

  it('make secrets that the service takes, in a folder that only their owner can open', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-compose-'));
    execFileSync('bash', ['-e', '-c', own.join('\n')], { cwd: folder });
    const { database } = readSettings('production', {
      PUBLIC_URL: 'https://cms.example.com',
      APP_SECRET_FILE: join(folder, 'secrets/app_secret'),
      DATABASE_URL_FILE: join(folder, 'secrets/database_url'),
    });
    const password = readFileSync(join(folder, 'secrets/database_password'), 'utf8').trim();
    const { mode } = statSync(join(folder, 'secrets'));
    rmSync(folder, { recursive: true });

    expect(own).toHaveLength(4);
    expect(database).toMatchObject({ kind: 'server', url: `mysql://cms:${password}@mariadb:3306/cms` });
    expect(mode & 0o777).toBe(0o700);
  });

  it('are those at the head of deploy/compose/compose.yaml', () => {
    const head = readFileSync('deploy/compose/compose.yaml', 'utf8');

    for (const line of block.trim().split('\n').slice(0, -1)) expect(head).toContain(`#   ${line}\n`);
  });
});

describe('deploy/nginx/README.md', () => {
  it('names settings that there are', () => {
    const block = /^```\n(PUBLIC_URL.*?)^```$/ms.exec(readFileSync('deploy/nginx/README.md', 'utf8'))?.[1] ?? '';
    const names = [...block.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);

    expect(names).toEqual(expect.arrayContaining(['BASE_PATH', 'TRUST_PROXY', 'TOKEN_HEADER', 'GATEWAY_SECRET']));
    expect(unknownOf(names)).toEqual([]);
  });
});
