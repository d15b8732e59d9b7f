import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const MIB = 1_048_576;
const LONGEST_BODY = 1_000_000;

describe('The size of a record', () => {
  let service: TestApp;
  let tomes: Historian;
  /** Characters of a field with so many characters, of a record whose title has one and whose body is the longest. */
  let room: number;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    tomes = new Historian(service, 'tome');
    const fields = ['note', 'other'].map((name) => ({ name, type: 'text' }));
    const { body } = await service.http().post('/api/admin/types').send({ name: 'tome', fields }).expect(201);
    room = MIB - LONGEST_BODY - 1 - JSON.stringify({ [body.data.fields[0].id]: '' }).length;
  });
  afterAll(() => service.close());

  const { send, save } = copyRequests(() => service);
  const sent = (method: 'post' | 'put' | 'patch', path: string, text: string) =>
    service.http()[method](`/api/cms/${path}`).set('Content-Type', 'application/json').send(text);
  /** A body of so many bytes, most of them spaces. */
  const padded = (bytes: number) => `{"title":"x"${' '.repeat(bytes - 13)}}`;

  it.each([
    ['two', 'ж'],
    ['three', '漢'],
    ['four', '😀'],
  ])(
    'is one of characters: a body of a million that are %s bytes each is written, kept in a copy and published',
    async (_, character) => {
      const [text, other] = [character.repeat(LONGEST_BODY), `${character.repeat(LONGEST_BODY - 1)}z`];

      const id = await tomes.create({ title: 'Long', body: text });
      await tomes.update(id, { title: 'Longer', body: text });
      await tomes.post(`${id}/publish`).expect(200);
      const { data } = await save(`tome/${id}`, { title: 'Copy' });
      expect(data.body === text).toBe(true);
      const change = await send('patch', `tome/${id}`, '*', { body: other });

      // Two texts of four bytes each, what is to be and what it is based on, are more than some servers take at once.
      if (character === '😀' && change.status !== 200) {
        expectError(change, 'payload_too_large');
        return;
      }
      const published = await tomes.post(`${id}/publish`).expect(200);
      expect([published.body.data.title, published.body.data.body === other]).toEqual(['Copy', true]);
      expect((await tomes.get(id)).body.data.body === other).toBe(true);
    },
    60_000,
  );

  it('is at most 4 MiB as JSON, wherever a record or a copy is written, and 1 MiB elsewhere', async () => {
    const id = await tomes.create({ title: 'Short' });
    const copy = (method: 'patch' | 'put', bytes: number) =>
      sent(method, `tome/${id}/draft`, padded(bytes)).set('If-Match', '*');

    for (const [bytes, allowed] of [
      [4 * MIB, true],
      [4 * MIB + 1, false],
    ] as const) {
      const answers = [
        await sent('post', 'tome', padded(bytes)),
        await sent('put', `tome/${id}`, padded(bytes)),
        await sent('patch', `tome/slug:short`, padded(bytes)),
        await copy('patch', bytes),
        await copy('put', bytes),
      ];
      for (const { status, body } of answers) {
        expect([status < 300, body.message]).toEqual([
          allowed,
          allowed ? undefined : `The body is longer than ${4 * MIB} bytes.`,
        ]);
      }
    }
    for (const path of [`tome/${id}/publish`, 'taxonomy'])
      expect((await sent('post', path, padded(MIB + 1))).body.message).toBe(`The body is longer than ${MIB} bytes.`);
  });

  it('is refused where title, body and fields together are longer, by whatever way they come', async () => {
    const long = { title: 'x', body: 'b'.repeat(LONGEST_BODY) };
    const [fits, exceeds] = ['n'.repeat(room), 'n'.repeat(room + 1)];
    const id = await tomes.create({ ...long, note: fits });
    const copied = await tomes.create({ ...long, status: 'published' });

    const refused = [
      await tomes.post('', { ...long, note: exceeds }),
      await sent('put', `tome/${id}`, JSON.stringify({ note: exceeds })),
      await send('patch', `tome/${copied}`, '*', { note: exceeds }),
    ];
    await save(`tome/${copied}`, { note: fits });
    await tomes.update(copied, { title: 'xy' });
    refused.push(await tomes.post(`${copied}/publish`));

    for (const answer of refused) expectError(answer, 'payload_too_large');
    expect(refused[0]?.body.message).toBe(
      `A record has at most ${MIB} characters in title, body and fields together; these would be ${MIB + 1}.`,
    );
    await tomes.update(id, { status: 'published' });
  });

  it('does not count what relations point to', async () => {
    const target = 'page-with-a-name-as-long-as-names-of-types-may-be-at-the-most-64';
    const relations = Array.from({ length: 120 }, (_, at) => `to_${at}`);
    const fields = relations.map((name) => ({ name, type: 'relation', to: [target], many: true }));
    await service.http().post('/api/admin/types').send({ name: target }).expect(201);
    await service.http().post('/api/admin/types').send({ name: 'hub', fields }).expect(201);
    const targets = new Historian(service, target);
    const ids: number[] = [];
    for (let at = 0; at < 120; at += 1) ids.push(await targets.create({ title: `${at}` }));

    const body = { title: 'Hub', ...Object.fromEntries(relations.map((name) => [name, ids])) };
    const { data } = (await service.http().post('/api/cms/hub').send(body).expect(201)).body;

    expect(JSON.stringify(data).length).toBeGreaterThan(MIB);
  });
});
