import { runner } from '../support/cli-runner.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The command line of content types', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp();
    run = runner({ DATABASE_URL: service.database.url });
  });

  afterAll(() => service.close());

  const apply = (definitions: unknown, ...more: string[]) =>
    run(['type', 'apply', '-', ...more, '--json'], JSON.stringify(definitions));
  const author = { name: 'author', fields: [{ name: 'books', type: 'relation', to: ['book'], many: true }] };
  const book = { name: 'book', fields: [{ name: 'by', type: 'relation', to: ['author'] }] };

  it('type list shows the types of a new database', async () => {
    const { code, out } = await run('type list');

    expect(code).toBe(0);
    expect(out).toMatch(/^page +Page/m);
    expect(out).toMatch(/^post +Post/m);
  });

  it('type apply makes types that point to each other, and leaves them alone the second time', async () => {
    const first = await apply([author, book]);
    const second = await apply([author, book]);
    const third = await apply({ ...book, label: 'Title' });

    expect(first).toMatchObject({ code: 0, error: '' });
    const names = [{ name: 'author' }, { name: 'book' }];
    expect(JSON.parse(first.out)).toEqual(names.map((name) => ({ ...name, result: 'created' })));
    expect(JSON.parse(second.out)).toEqual(names.map((name) => ({ ...name, result: 'unchanged' })));
    expect(JSON.parse(third.out)).toEqual([{ name: 'book', result: 'changed' }]);
  });

  it('type apply takes what export prints', async () => {
    const { out } = await run('type export');

    const applied = await run('type apply -', out);

    expect(applied.code).toBe(0);
    expect(applied.out).toMatch(/^unchanged +page$/m);
    expect(applied.out).not.toMatch(/^(?:created|changed)/m);
  });

  it('type apply ends with 1 and the name of a type that cannot be', async () => {
    const { code, error } = await apply([{ name: 'odd', fields: [{ name: 'id', type: 'string' }] }]);

    expect(code).toBe(1);
    expect(JSON.parse(error)).toMatchObject({ error: 'validation_failed', message: expect.stringMatching(/^odd: /) });
  });

  it.each(['7', 'null', '[[]]', '{}', '[{"name":7}]'])('type apply ends with 1 for %s', async (text) => {
    expect((await run('type apply -', text)).code).toBe(1);
  });

  it('type apply ends with 2 for what is no JSON and for a file that is not there', async () => {
    expect(await run('type apply -', '{')).toEqual({ code: 2, out: '', error: 'Standard input is not valid JSON.' });
    expect((await run('type apply nowhere.json')).error).toBe('The file nowhere.json cannot be read.');
  });
});
