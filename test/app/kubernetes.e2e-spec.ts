import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly resources: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}
interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly containers: readonly Container[];
}
interface Manifest {
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec: Partial<Pod> } };
  readonly configMapGenerator?: readonly { readonly literals: readonly string[] }[];
}

const FOLDER = 'deploy/kubernetes';
/** What a stop takes at most after DRAIN_DELAY_S, seconds: eight for answers, the rest for the database. */
const STOP_SECONDS = 15;

const manifests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as Manifest);
const pods = manifests.flatMap(({ spec }) => {
  const pod = spec?.template?.spec;
  // A patch of an overlay has no containers.
  return pod?.containers ? [pod as Pod] : [];
});
const containers = pods.flatMap((pod) => pod.containers);
const environment = containers.flatMap(({ env = [] }) => env);

describe('The manifests for Kubernetes', () => {
  it('set what is a setting, or the file of one', () => {
    const settings = [...readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(
      ([, name]) => name,
    );
    const literals = manifests.flatMap(({ configMapGenerator = [] }) =>
      configMapGenerator.flatMap((map) => map.literals),
    );
    const names = [...environment.map(({ name }) => name), ...literals.map((literal) => literal.replace(/=.*/, ''))];

    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !settings.includes(name.replace(/_FILE$/, '')))).toEqual([]);
  });

  it('let no container write but to DATA_DIR and /tmp, nor be root', () => {
    expect(containers.map(({ name }) => name).toSorted()).toEqual(['migrate', 'service']);
    for (const pod of pods) expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { securityContext, resources, volumeMounts } of containers) {
      expect(securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(resources).toHaveProperty('limits.memory');
      const writable = volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath);
      expect(['/app/data', '/tmp']).toEqual(expect.arrayContaining(writable));
    }
  });

  it('give a stop the time that it takes', () => {
    const delay = Number(environment.find(({ name }) => name === 'DRAIN_DELAY_S')?.value);
    const graces = pods.flatMap(({ terminationGracePeriodSeconds: seconds }) => seconds ?? []);

    expect(delay).toBe(5);
    expect(graces.map((seconds) => seconds >= delay + STOP_SECONDS)).toEqual([true]);
  });
});
