import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { builtService } from '../support/built-service.js';
import { ROOT } from '../support/documented-steps.js';

const FOLDERS = ['docs', 'bench', 'deploy'];
/** Of one folder of the source, without specs. */
const MAX_FILES = 15;
const documents = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
]
  .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
  .sort();

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Without blocks and pieces of code, where brackets are no links and `#` is no heading. */
function proseOf(file: string): string {
  return textOf(file)
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, 'code');
}

/** What a heading is reached by, as GitHub makes it: `Node.js` -> `nodejs`. */
function anchorsOf(file: string): string[] {
  const headings = textOf(file)
    .replace(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links to files and headings of the project: `../.env.example`, `content.md#records`, `#search`. */
function linksOf(file: string): string[] {
  return [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function isDead(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

const sources = ['src', 'test', 'scripts', 'bench', 'admin/src', 'packages/client/src']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
  )
  .concat(readdirSync(ROOT).map((file) => `/${file}`));

/** Stands for any file. */
const PATTERN = /^(?:name|kebab-case)\./;

/** Files that a document names: `users/roles.ts`, `unit-of-work.ts`. */
function filesIn(file: string): string[] {
  return [...textOf(file).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !PATTERN.test(name));
}

/** Files of `src` with classes of which none is called as the file, and why. */
const OTHER_NAMES = new Map([
  ['auth/sessions/lifecycle/sessions.dto.ts', 'the bodies of its routes'],
  ['auth/tokens/api/api-token.dto.ts', 'the bodies of its routes'],
  ['database/shared-secret.ts', 'functions, and the error that they throw'],
  ['revisions/snapshots/stored-snapshot.ts', 'functions, and the error that they throw'],
  ['taxonomy/terms/tree/tree-faults.ts', 'faults of trees, and what repairs them'],
  ['transfer/backup/digest.ts', 'digests of rows and of tables, and what makes them'],
  ['transfer/formats/file-text.ts', 'functions, and the error that they throw'],
]);

function classFiles(): string[] {
  return sources
    .filter((file) => /^\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|^\/src\/database\/migrations\//.test(file))
    .map((file) => relative('/src', file))
    .filter((file) => classesOf(file).length > 0);
}

function classesOf(file: string): string[] {
  return [...textOf(join('src', file)).matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name = '']) => name);
}

/** With its role or without it: `term.entity.ts` holds `Term`, `taxonomy.entity.ts` `TaxonomyEntity`. A port has a host for its implementation. */
function isCalledAsItsFile(file: string): boolean {
  const [stem = '', role = ''] = basename(file, '.ts').replaceAll('-', '').split('.');
  const names = [stem, stem + role, ...(role === 'port' ? [`${stem}host`] : [])];
  return classesOf(file).some((name) => names.includes(name.toLowerCase()));
}

describe('The documents', () => {
  it('are looked for where they are', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/api.md', 'docs/tour.md']));
    expect(linksOf('README.md').length).toBeGreaterThan(20);
  });

  it.each(documents)('lead from %s to files and headings that exist', (file) => {
    expect(linksOf(file).filter((link) => isDead(file, link))).toEqual([]);
  });

  it('are led to by README.md, which is short, but for decisions and the pages of the tour', () => {
    const linked = linksOf('README.md').map((link) => link.split('#')[0]);
    const pages = documents.filter((file) => /^docs\/(?!adr\/|tour\/).+\.md$/.test(file));

    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((file) => !linked.includes(file))).toEqual([]);
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThan(7_168);
  });

  it.each([
    ['docs/cli.md', () => ['scripts/cli-docs.mjs', '--check', builtService()]],
    ['docs/settings.md', () => ['scripts/settings-docs.mjs', '--check']],
    ['docs/licences.md', () => ['scripts/licences-docs.mjs', '--check']],
  ])('%s is what npm run docs writes', (_, words) => {
    const { status, stderr } = spawnSync(process.execPath, words(), {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });

    expect([status, stderr]).toEqual([0, '']);
  });

  it('are in plain English, but for decisions and what has been', () => {
    const files = documents.filter((file) => !/^docs\/adr\/|^CHANGELOG|^bench\//.test(file));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/plain-prose.mjs', ...files], {
      cwd: ROOT,
      encoding: 'utf8',
    });

    expect([status, stderr]).toEqual([0, '']);
  });

  it('have at most 25,000 words, without code, generated tables, what has been, and measurements', () => {
    const counted = documents.filter((file) => !/^CHANGELOG|^bench\/|^docs\/(?:settings|cli|licences)\.md$/.test(file));
    const words = counted.flatMap((file) => proseOf(file).split(/\s+/)).filter((word) => /[\p{L}\p{N}]/u.test(word));

    expect(words.length).toBeGreaterThan(10_000);
    expect(words.length).toBeLessThanOrEqual(25_000);
  });

  it('have at most 24 decisions', () => {
    expect(documents.filter((file) => file.startsWith('docs/adr/')).length).toBeLessThanOrEqual(24);
  });

  it('have commands that a shell colours (sh) only on pages that test/demo runs', () => {
    const isRun = (file: string) =>
      /^README\.md$|^docs\/(?:tour|cookbooks|operate\/(?:install|upgrade|backup|observe))\b/.test(file);
    const withCommands = documents.filter(
      (file) => /^(?:docs\/|README)/.test(file) && textOf(file).includes('```sh\n'),
    );

    expect(withCommands.length).toBeGreaterThan(15);
    expect(withCommands.filter((file) => !isRun(file))).toEqual([]);
  });

  it('docs/architecture.md names each folder of src, and no other', () => {
    const tree = /^```text\n(src\/.*?)^```$/ms.exec(textOf('docs/architecture.md'))?.[1] ?? '';
    const named = [...tree.matchAll(/^ {2}([a-z-]+)\/ {2,}\S/gm)].map(([, folder = '']) => folder);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  it('no folder of src has more than 15 files, but for those that docs/architecture.md names', () => {
    const folders = sources
      .filter((file) => file.startsWith('/src/') && file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => relative('/src', dirname(file)));
    const large = [...new Set(folders)].filter(
      (folder) => folders.filter((other) => other === folder).length > MAX_FILES,
    );

    const excepted = /may have more:(.*)/.exec(textOf('docs/architecture.md'))?.[1] ?? '';
    expect(large.filter((folder) => !excepted.includes(`\`${folder}\` (`))).toEqual([]);
  });

  it('a class of src is called as its file: users.service.ts holds UsersService, mail-composer.ts MailComposer', () => {
    const files = classFiles();

    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((file) => !isCalledAsItsFile(file)).toSorted()).toEqual([...OTHER_NAMES.keys()].toSorted());
  });

  it.each(['docs/architecture.md', 'docs/internals.md', 'CONTRIBUTING.md'])('name files in %s that exist', (file) => {
    expect(filesIn(file).length).toBeGreaterThan(3);
    expect(filesIn(file).filter((name) => !sources.some((source) => source.endsWith(`/${name}`)))).toEqual([]);
  });
});
