import { createHash } from 'node:crypto';
import { Reads } from '../../src/database/statements/reads.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const LONG = 8;
const LENGTH = 400_000;
/** Letters of several bytes, and what JSON has to escape. */
const bodyOf = (n: number): string => `"${n}" é\\ 漢\n`.repeat(LENGTH / 10);

describe('Lists of long records', () => {
  let service: TestApp;
  let records: { id: number; body: string | null }[];

  const make = async (type: string, body: object) =>
    (await service.http().post(`/api/cms/${type}`).send(body).expect(201)).body.data;

  beforeAll(async () => {
    service = await startTestApp();
    const fields = [{ name: 'rank', type: 'integer', indexed: true }];
    await service.http().post('/api/admin/types').send({ name: 'book', fields }).expect(201);
    records = [];
    for (let n = 0; n < LONG; n += 1) {
      records.push(await make('book', { title: `Long ${n}`, rank: n, body: bodyOf(n), status: 'published' }));
      records.push(await make('book', { title: `Short ${n}`, rank: n, body: 'short', status: 'published' }));
    }
    await service
      .http()
      .post('/api/admin/types')
      .send({ name: 'shelf', fields: [{ name: 'books', type: 'relation', to: ['book'], many: true }] })
      .expect(201);
  });

  afterAll(() => service.close());

  const list = async (path: string) => {
    const answer = await service.http().get(path).buffer(true).parse(whole);
    return { status: answer.status, headers: answer.headers, bytes: answer.body as Buffer };
  };

  it.each(['', 'sort=rank', 'sort=-rank,title', 'fields=title,body', 'per_page=3&page=2', 'count=none'])(
    'have the records, the order and the validator of any other list: %s',
    async (query) => {
      const { status, headers, bytes } = await list(`/api/cms/book?${query}`);

      const answer = JSON.parse(bytes.toString('utf8'));
      const narrow = (
        await service.http().get(`/api/cms/book?${query.replace('fields=title,body', '')}&fields=id,title`)
      ).body;
      expect(status).toBe(200);
      expect(answer.meta).toEqual(narrow.meta);
      expect(answer.data.map(({ title }: { title: string }) => title)).toEqual(
        narrow.data.map(({ title }: { title: string }) => title),
      );
      expect(bytes.equals(Buffer.from(JSON.stringify(answer)))).toBe(true);
      expect(headers.etag).toBe(`"${createHash('sha1').update(bytes).digest('base64url')}"`);
      expect([headers['content-type'], headers['cache-control']]).toEqual([
        'application/json; charset=utf-8',
        'private, no-cache',
      ]);
    },
  );

  it('end at four million characters, and go on by the cursor', async () => {
    for (let n = 0; n < 5; n += 1) {
      await make('book', { title: `Longest ${n}`, rank: 100, body: 'x'.repeat(1_000_000), status: 'draft' });
    }
    const first = JSON.parse((await list('/api/cms/book?sort=id&status=draft')).bytes.toString('utf8'));
    const next = `/api/cms/book?sort=id&status=draft&cursor=${first.meta.next_cursor}`;
    const second = JSON.parse((await list(next)).bytes.toString('utf8'));

    const titles = [first, second].map(({ data }) => data.map(({ title }: { title: string }) => title));
    expect(titles).toEqual([['Longest 0', 'Longest 1', 'Longest 2', 'Longest 3'], ['Longest 4']]);
    expect([first.meta.total, second.meta.next_cursor]).toEqual([5, null]);
    for (const { id } of [...first.data, ...second.data]) await service.http().delete(`/api/cms/book/${id}`);
  });

  it('show each record as it is shown alone', async () => {
    const { bytes } = await list('/api/cms/book?per_page=100');

    for (const record of JSON.parse(bytes.toString('utf8')).data) {
      const { data } = (await service.http().get(`/api/cms/book/${record.id}`)).body;
      expect(JSON.stringify(record) === JSON.stringify(data)).toBe(true);
    }
  });

  it('are not sent to those who have them already', async () => {
    const { headers } = await list('/api/cms/book');

    const again = await service.http().get('/api/cms/book').set('If-None-Match', String(headers.etag));
    const head = await service.http().head('/api/cms/book');
    await service
      .http()
      .patch(`/api/cms/book/${records[2]?.id ?? 0}`)
      .send({ body: bodyOf(9) })
      .expect(200);
    const changed = await list('/api/cms/book');

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect([head.status, head.headers.etag]).toEqual([200, headers.etag]);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  it('leave out a record that is withdrawn while they are on their way', async () => {
    const [first] = records;
    const withdrawn = records[2]?.id ?? 0;
    const select = jest.spyOn(Reads.prototype, 'select');
    let isWithdrawn = false;
    select.mockImplementation(async function (this: Reads, sql, values = []) {
      // After the page itself has been read, and before its long records are.
      if (!isWithdrawn && sql.includes('WHERE r.id = ?')) {
        isWithdrawn = true;
        await service.http().patch(`/api/cms/book/${withdrawn}`).send({ status: 'draft' }).expect(200);
      }
      return (this as unknown as { source: { query: (...call: unknown[]) => Promise<never[]> } }).source.query(sql, [
        ...values,
      ]);
    });

    const { bytes } = await list(`/api/cms/book?sort=id&status=published`);

    select.mockRestore();
    const ids = JSON.parse(bytes.toString('utf8')).data.map(({ id }: { id: number }) => id);
    expect(ids).toContain(first?.id);
    expect(ids).not.toContain(withdrawn);
    await service.http().patch(`/api/cms/book/${withdrawn}`).send({ status: 'published' }).expect(200);
  });

  it('stand in the place of references', async () => {
    const short = records.filter(({ body }) => body === 'short').map(({ id }) => id);
    const long = records.filter(({ body }) => body !== 'short').map(({ id }) => id);
    const { id } = await make('shelf', { title: 'All', books: [...short, ...long, ...short.slice(0, 2)].slice(0, 12) });

    const one = await list(`/api/cms/shelf/${id}?expand=books`);
    const page = await list('/api/cms/shelf?expand=books');

    const shelf = JSON.parse(one.bytes.toString('utf8')).data;
    expect(shelf.books.map((book: { id: number }) => book.id)).toEqual([...short, ...long].slice(0, 12));
    expect(shelf.books.every(({ title }: { title?: string }) => typeof title === 'string')).toBe(true);
    expect(JSON.parse(page.bytes.toString('utf8')).data).toEqual([shelf]);
    expect(one.headers.etag).toBe(`"${createHash('sha1').update(one.bytes).digest('base64url')}"`);
  });
});

function whole(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  // supertest hands over the stream that it has not read yet.
  const answer = response as NodeJS.ReadableStream;
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => pieces.push(piece));
  answer.on('end', () => {
    done(null, Buffer.concat(pieces));
  });
}
