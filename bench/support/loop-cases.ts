import { randomUUID } from 'node:crypto';
import { hostileBodies, hostileSignIns } from './loop-bodies.js';
import { fixed, together, type LoopCase, type Place } from './loop-case.js';
import { changes } from './loop-changes.js';
import { BUNDLE, ITEM, LONG } from './loop-content.js';
import { crowds } from './loop-crowds.js';
import { changeBroadTypes } from './loop-broad-types.js';
import { firstRequests } from './loop-first.js';
import { longRecords } from './loop-long.js';
import { removals } from './loop-removals.js';
import { manyTerms } from './loop-terms.js';
import { wideWrites } from './loop-wide.js';
import { POSTS } from './options.js';
import { send, sendJson, type RawAnswer, type RawCall } from './raw.js';
const CROWD = 10;
const MAX_TITLE = 80;

/** The worst requests of each kind. */
export async function loopCases(place: Place): Promise<LoopCase[]> {
  return [
    ...strangers(place),
    ...bodies(place),
    ...lists(place),
    ...(await longRecords(place)),
    ...(await manyTerms(place)),
    ...(await wideWrites(place)),
    ...searches(place),
    ...firstRequests(place),
    ...(await changes(place)),
    ...removals(place),
    ...crowds(place),
  ];
}

/** Requests that need no credential. */
function strangers(place: Place): LoopCase[] {
  const { service } = place;
  const touch = (turn: number): Promise<unknown> =>
    sendJson(service, { method: 'PATCH', path: `/api/cms/${ITEM}/1`, body: { note: `touched ${turn} ${Date.now()}` } });
  const part = async (): Promise<RawAnswer> => {
    const { text } = await send(service, { path: '/sitemap.xml', isOpen: true }, true);
    const parts = [...text.matchAll(/<loc>([^<]*sitemap-[^<]*)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    const largest = parts.find((path) => path.includes(ITEM)) ?? parts[0] ?? '/sitemap.xml';
    return send(service, { path: largest, isOpen: true });
  };
  const relabel = (turn: number): Promise<unknown> =>
    sendJson(service, {
      method: 'PUT',
      path: '/api/admin/types/kind_1',
      body: { label: `Kind ${turn} ${Date.now()}` },
    });
  const junk = (): RawCall => ({
    path: '/api/cms/post',
    headers: { authorization: `Bearer ${randomUUID()}` },
    isOpen: true,
  });
  return [
    ...hostileBodies('/api/cms/post').map(([title, call]) =>
      fixed(place, `no token: ${title}`, { ...call, isOpen: true }),
    ),
    ...hostileSignIns().map(([title, call]) => fixed(place, title, { ...call, isOpen: true })),
    {
      title: 'no token: sitemap, cold',
      isOpen: true,
      prepare: touch,
      run: () => send(service, { path: '/sitemap.xml', isOpen: true }),
    },
    { title: 'no token: part of the sitemap', isOpen: true, run: part },
    {
      title: 'no token: API description of 200 types, cold',
      isOpen: true,
      prepare: relabel,
      run: () => send(service, { path: '/api/openapi.json', isOpen: true }),
    },
    {
      title: 'no token: API description with 4,800 fields, cold',
      isOpen: true,
      prepare: (turn) => changeBroadTypes(service, turn),
      run: () => send(service, { path: '/api/openapi.json', isOpen: true }),
    },
    fixed(place, 'no token: API description of 200 types', { path: '/api/openapi.json', isOpen: true }),
    {
      title: 'no token: wrong tokens, 10 at once',
      isOpen: true,
      run: () => together(CROWD, () => send(service, junk())),
    },
    fixed(place, 'no token: long query', { path: `/api/cms/post?${'a&'.repeat(4_000)}`, isOpen: true }),
  ];
}

function bodies(place: Place): LoopCase[] {
  const names = Array.from({ length: 90_000 }, (_, n) => `k${n}`);
  const object = Object.fromEntries(names.slice(0, 9_900).map((name) => [name, 0]));
  return [
    ...hostileBodies(`/api/cms/${ITEM}`).map(([title, call]) => fixed(place, `body: ${title}`, call)),
    fixed(place, 'body: rollback, 90,000 fields', {
      method: 'POST',
      path: `/api/cms/${ITEM}/999999/rollback/1`,
      body: { fields: names },
    }),
    fixed(place, 'body: user, a name of 9,900 keys', { method: 'POST', path: '/api/users', body: { name: object } }),
  ];
}

const names = (count: number): string => Array.from({ length: count }, (_, n) => `code-${n * 7}`).join();

const FILTERS = [
  `filter[code][in]=${names(100)}`,
  `filter[code][nin]=${names(100)}`,
  `filter[code][in]=${names(100)}&sort=title`,
  'filter[code]=code-77',
  'filter[code][ne]=code-77',
  'filter[code][in]=code-1,code-2,code-3',
  'filter[code][nin]=code-1,code-2,code-3',
  'filter[code][contains]=zzzz',
  'filter[code][contains]=7',
  'filter[code][starts]=code',
  'filter[code][starts]=code-77',
  'filter[code][exists]=false',
  'filter[code][exists]=true',
  'filter[price][gte]=0',
  'filter[price][lt]=1',
  'filter[price][gt]=998',
  'filter[price][exists]=false',
  'filter[flag]=true',
  'filter[flag][ne]=true',
  'filter[day][gte]=2024-01-15',
  'filter[labels]=label 3',
  'filter[labels][contains]=zzzz',
  'filter[tag]=tag-7',
  'filter[tag][ne]=tag-7',
  'filter[tag][exists]=false',
  'filter[title][contains]=zzzz',
  'filter[title][starts]=Item 9',
  'filter[price][gte]=0&filter[flag]=true&filter[code][starts]=code',
  'sort=title',
  'sort=-price',
  'sort=code',
  'sort=price,-day',
  'sort=flag,code,title',
  'sort=-updated_at',
  'filter[flag]=true&sort=title',
  'filter[code][contains]=7&sort=-price',
  'status=draft&sort=-price',
];

function lists(place: Place): LoopCase[] {
  const list = (query: string): LoopCase =>
    fixed(place, `list: ${query.slice(0, MAX_TITLE)}`, { path: `/api/cms/${ITEM}?${encodeURI(query)}` });
  const deep = [0.5, 0.9].map((share) => `page=${Math.ceil((POSTS / 15) * share)}`);
  const deepBehind = async (sort: string): Promise<RawAnswer> => {
    const path = `/api/cms/${ITEM}?per_page=100&sort=${sort}`;
    const middle = `${path}&page=${Math.ceil(POSTS / 200)}`;
    const { meta } = await sendJson<{ meta: { next_cursor: string } }>(place.service, { path: middle });
    return send(place.service, { path: `${path}&cursor=${encodeURIComponent(meta.next_cursor)}` });
  };
  const behind = async (): Promise<RawAnswer> => {
    const path = `/api/cms/${ITEM}?per_page=100&sort=price`;
    const { meta } = await sendJson<{ meta: { next_cursor: string } }>(place.service, { path });
    return send(place.service, { path: `${path}&cursor=${encodeURIComponent(meta.next_cursor)}` });
  };
  return [
    ...FILTERS.map(list),
    ...deep.flatMap((page) => [list(page), list(`${page}&sort=code`), list(`${page}&filter[flag]=true`)]),
    list('per_page=100'),
    { title: 'list: cursor behind 100 by price', isOpen: false, run: behind },
    ...['-price', '-published_at', '-day,title', '-updated_at'].map((sort) => ({
      title: `list: cursor in the middle, sort=${sort}`,
      isOpen: false,
      run: () => deepBehind(sort),
    })),
    fixed(place, 'list: 100 records with 100 relations each, expanded', {
      path: `/api/cms/${BUNDLE}?per_page=100&expand=items`,
    }),
    fixed(place, 'one record, 100 relations expanded', { path: `/api/cms/${BUNDLE}?per_page=1&expand=items` }),
    fixed(place, 'taxonomy of 10,000 terms, 1,000', { path: '/api/cms/taxonomy/topic' }),
    fixed(place, 'taxonomy of 10,000 terms, as a tree', { path: '/api/cms/taxonomy/topic?format=tree' }),
    fixed(place, '200 types', { path: '/api/cms/types' }),
    fixed(place, '200 types to administer', { path: '/api/admin/types' }),
  ];
}

function searches(place: Place): LoopCase[] {
  const search = (title: string, query: string): LoopCase =>
    fixed(place, `search: ${title}`, { path: `/api/cms/search?${query}` });
  return [
    search('a word of nearly all', 'q=ba&per_page=100'),
    search('in records of 1 MB', `q=ba&type=${LONG}&per_page=100`),
    search('a phrase in records of 1 MB', `q=%22ba%20cor%22&type=${LONG}&per_page=100`),
    search('no hit, with suggestions', 'q=zzqqxxyy'),
    search('one long word', `q=${'x'.repeat(200)}`),
    search('many words', `q=${Array.from({ length: 40 }, (_, n) => `w${n}`).join('%20')}`),
    search('page 500', 'q=ba&page=500'),
  ];
}
