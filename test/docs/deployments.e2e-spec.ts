import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

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

  it('migrates to the end before an instance starts, and gives a stop the time that it takes', () => {
    for (const [, { depends_on: before, stop_grace_period: grace, environment }] of instances) {
      expect(before?.migrate).toEqual({ condition: 'service_completed_successfully' });
      expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThanOrEqual(
        Number(environment?.DRAIN_DELAY_S) + STOP_SECONDS,
      );
    }
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
