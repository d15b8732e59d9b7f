import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/documented-steps.js';

const run = (...words: readonly string[]) => spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
const releases = [...readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
  ([, name = '']) => name,
);

describe('npm run release:notes', () => {
  it.each(releases)('begins with what to do for %s', (release) => {
    const { status, stdout, stderr } = run('scripts/release-notes.mjs', release);

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^### What to do\n\n\S/);
  });

  it('fails for a release that the changelog does not have', () => {
    expect(run('scripts/release-notes.mjs', '0.0.0')).toMatchObject({ status: 1, stdout: '' });
  });

  it('has a heading for each release on the page about upgrades', () => {
    const page = readFileSync(join(ROOT, 'docs/operate/upgrade.md'), 'utf8');

    expect(releases.filter((release) => !page.includes(`### ${release}\n`))).toEqual([]);
  });
});

describe('npm run sbom', () => {
  let folder: string;
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-sbom-'));
    const { status, stderr } = run('scripts/sbom.mjs', folder);
    expect([status, stderr]).toEqual([0, '']);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['sbom.cdx.json', 'sbom.spdx.json'])(
    'lists in %s what the service and its console are made of, and no tools',
    (file) => {
      const { components = [], packages = [] } = JSON.parse(read(file)) as Record<
        string,
        readonly { readonly name: string }[]
      >;
      const names = [...components, ...packages].map(({ name }) => name);

      expect(names).toEqual(expect.arrayContaining(['typeorm', 'react', 'dompurify']));
      expect(names.filter((name) => ['jest', 'vite', 'eslint'].includes(name))).toEqual([]);
      expect(names.length).toBeGreaterThan(200);
    },
  );

  it('names formats that other programs read', () => {
    expect(JSON.parse(read('sbom.cdx.json'))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'content-service' } },
    });
    expect(JSON.parse(read('sbom.spdx.json'))).toMatchObject({ spdxVersion: 'SPDX-2.3' });
  });
});
