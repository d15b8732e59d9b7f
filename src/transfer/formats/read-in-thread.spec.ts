import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import threads, { type Worker } from 'node:worker_threads';
import { entriesOf, FIXTURES, folderOf, items } from '../../../test/support/import-files.js';
import type { Format } from './guess-format.js';
import type { ImportEntry } from './import-entry.js';
import { readInThread } from './read-in-thread.js';
import { READERS } from './readers.js';

/** More than the thread may have read before it is asked for. */
const MANY = 3_000;

function apart(format: Format, path: string): Promise<ImportEntry[]> {
  return entriesOf((file) => readInThread({ format, path: file }), path);
}

/** The next thread that is started. */
function nextThread(): Promise<Worker> {
  return new Promise((resolve) => {
    const { Worker: Original } = threads;
    jest.spyOn(threads, 'Worker').mockImplementationOnce((...args) => {
      const thread = new Original(...args);
      resolve(thread);
      return thread;
    });
  });
}

function posts(count: number): { path: string; remove: () => void } {
  const names = Array.from({ length: count }, (_, n) => `${String(n).padStart(5, '0')}.md`);
  return folderOf(Object.fromEntries(names.map((name) => [name, `---\ntitle: First\n---\n${name}`])));
}

describe('Files that are read in a thread of their own', () => {
  let folder: { path: string; remove: () => void } | undefined;

  afterEach(() => {
    jest.restoreAllMocks();
    folder?.remove();
    folder = undefined;
  });

  it.each([
    ['csv', 'table.csv'],
    ['markdown', 'posts'],
    ['wxr', 'site.xml'],
  ] as const)('hold the same entries, problems and lines as ever: %s', async (format, name) => {
    const path = join(FIXTURES, name);

    const entries = await apart(format, path);

    expect(entries).toEqual(await entriesOf(READERS[format], path));
    expect(items(entries).length).toBeGreaterThan(1);
  });

  it('hold all entries in their order where these are many', async () => {
    folder = posts(MANY);

    const entries = await apart('markdown', folder.path);

    expect(items(entries).map(({ body }) => body)).toEqual(
      items(entries)
        .map(({ file }) => file)
        .toSorted(),
    );
    expect(entries).toHaveLength(MANY);
  });

  it('may hold settings that are called as what every object has', async () => {
    folder = folderOf({ 'a.md': '---\ntitle: A\n__proto__: 1\nmore:\n  __proto__: 2\nnever: .nan\n---\n' });

    const entries = await apart('markdown', folder.path);

    expect(Object.entries(items(entries)[0]?.values ?? {})).toEqual(
      Object.entries(items(await entriesOf(READERS.markdown, folder.path))[0]?.values ?? {}),
    );
    expect(Object.keys(items(entries)[0]?.values ?? {})).toContain('__proto__');
  });

  it('are read no further ahead than a few batches', async () => {
    folder = posts(MANY);
    const entries = readInThread({ format: 'markdown', path: folder.path });
    await entries.next();
    // It takes as long as to read all of them.
    await apart('markdown', folder.path);
    writeFileSync(join(folder.path, `0${MANY - 1}.md`), '---\ntitle: Changed\n---\n');

    const rest = await entriesOf(() => entries, '');

    expect(rest).toHaveLength(MANY - 1);
    expect(items(rest).map(({ title }) => title)).toEqual([...Array<string>(MANY - 2).fill('First'), 'Changed']);
  });

  it('are let go when no more of them are wanted', async () => {
    folder = posts(MANY);
    const started = nextThread();

    const entries = readInThread({ format: 'markdown', path: folder.path });
    await entries.next();

    await entries.return(undefined);

    expect((await started).threadId).toBe(-1);
  });

  it('fail as they do without a thread', async () => {
    const path = join(FIXTURES, 'nothing');

    await expect(apart('markdown', path)).rejects.toMatchObject({ code: 'ENOENT', message: expect.any(String) });
  });

  it('end with an error when their thread dies', async () => {
    folder = posts(MANY);
    const started = nextThread();
    const entries = readInThread({ format: 'markdown', path: folder.path });
    const first = await entries.next();

    await (await started).terminate();

    expect(first.done).toBe(false);
    await expect(entriesOf(() => entries, '')).rejects.toThrow('has ended too early');
  });
});
