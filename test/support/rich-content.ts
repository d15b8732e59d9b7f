import { typeRequests } from './type-requests.js';
import type { TestApp } from './test-app.js';

/** Numbers that lose something on a careless way. */
const NUMBERS = [0.1, -2.5, 1e21, 5e-324, 96_429_376.851_682_41, 1.797e308, -0, 2 ** 53 - 1, 1 - 2 ** 53];
const WHOLE = [0, -1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53];
const TEXTS = [
  '',
  ' ',
  'ends with spaces   ',
  'Žluťoučký 漢字 🪐 \u2028 ё',
  'quo\'te " \\ back `tick` % _ ?',
  'tab\tline\r\n',
];
const LARGE_BODY = '𝔘ñí '.repeat(100_000).slice(0, 500_000);

const FIELDS = [
  { name: 'line', type: 'string', indexed: true },
  { name: 'words', type: 'text' },
  { name: 'num', type: 'number', indexed: true },
  { name: 'whole', type: 'integer', indexed: true },
  { name: 'flag', type: 'boolean', indexed: true },
  { name: 'day', type: 'date', indexed: true },
  { name: 'moment', type: 'datetime', indexed: true },
  { name: 'mail', type: 'email', unique: true },
  { name: 'link', type: 'url' },
  { name: 'choice', type: 'enum', values: ['ja', 'nein'], indexed: true },
  { name: 'raw', type: 'json' },
  { name: 'items', type: 'list', of: 'string', indexed: true },
  { name: 'friends', type: 'relation', to: ['post'], many: true },
];

/** Content of every kind that a database can get through the API. */
export async function fillRichly(service: TestApp): Promise<void> {
  const { aTypeWith, aRecord } = typeRequests(() => service);
  const type = await aTypeWith(FIELDS, 'everything');
  const friend = await aRecord('post', { title: 'A friend', status: 'published', body: LARGE_BODY });
  for (const num of NUMBERS) await aRecord(type, { num });
  for (const whole of WHOLE) await aRecord(type, { whole, flag: whole > 0 });
  for (const text of TEXTS) await aRecord(type, { words: text, raw: { text, none: null }, items: [`${text}.`] });
  await aRecord(type, {
    line: 'x  ',
    day: '1969-12-31',
    moment: '2026-02-28T23:59:59.999Z',
    mail: 'ann@example.com',
    link: 'https://example.com/?a=b#c',
    choice: 'ja',
    friends: [friend],
  });
  await service
    .http()
    .patch(`/api/cms/post/${friend}/draft`)
    .set('If-Match', '*')
    .send({ title: '𝔘nfinished', body: null, terms: { tag: ['new', 'new too'] } })
    .expect(201);
  const trashed = await aRecord('post', { slug: 'in-the-trash' });
  await service.http().delete(`/api/cms/post/${trashed}`).expect(204);
  await service.http().post('/api/users').send({ name: 'Ünal', email: 'unal@example.com' }).expect(201);
  await service
    .http()
    .post('/api/admin/tokens')
    .send({ name: 'reader', scopes: ['records:read'] })
    .expect(201);
}
