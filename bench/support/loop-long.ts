import { fixed, together, type LoopCase, type Place } from './loop-case.js';
import { HOSTILE_TEXTS } from './loop-bodies.js';
import { idsOf, ITEM, LONG, LONG_RECORDS, longText } from './loop-content.js';
import { send, sendJson, type RawAnswer } from './raw.js';

const CROWD = 10;

/** Records of a megabyte: lists, exports, writes and histories of them. */
export async function longRecords(place: Place): Promise<LoopCase[]> {
  const writes = await longWrites(place);
  return [...(await longLists(place)), ...writes.map((one) => ({ ...one, isLargest: true }))];
}

async function longLists(place: Place): Promise<LoopCase[]> {
  const { service } = place;
  const [one = 0] = await idsOf(service, LONG, 1);
  const page = { path: `/api/cms/${LONG}?per_page=${LONG_RECORDS}` };
  return [
    fixed(place, '100 records of 1 MB', page),
    {
      title: '100 records of 1 MB, 3 at once',
      isOpen: false,
      run: (turn) =>
        together(3, (n) =>
          send(service, {
            path: `${page.path}&sort=${n === 0 ? 'title' : n === 1 ? 'id' : '-id'}&page=1&filter[id][gt]=${turn % 2}`,
          }),
        ),
    },
    fixed(place, '100 records of 1 MB by a field', { path: `${page.path}&sort=rank` }),
    fixed(place, '100 records of 1 MB, only titles and bodies', { path: `${page.path}&fields=title,body` }),
    fixed(place, 'a record of 1 MB', { path: `/api/cms/${LONG}/${one}` }),
    { title: 'records of 1 MB by id, 10 at once', isOpen: false, run: () => readTogether(place) },
    fixed(place, '30 records of 1 MB in the trash', { path: `/api/cms/${LONG}/-/trash?per_page=100` }),
    fixed(place, 'export of records of 1 MB, ndjson', { path: `/api/cms/${LONG}/-/export` }),
    fixed(place, 'export of records of 1 MB, csv', { path: `/api/cms/${LONG}/-/export?format=csv` }),
    fixed(place, 'export of 100,000 records, ndjson', { path: `/api/cms/${ITEM}/-/export` }),
    fixed(place, 'export of 100,000 records, csv', { path: `/api/cms/${ITEM}/-/export?format=csv` }),
  ];
}

async function readTogether({ service }: Place): Promise<RawAnswer> {
  const ids = await idsOf(service, LONG, CROWD);
  return together(CROWD, (n) => send(service, { path: `/api/cms/${LONG}/${ids[n] ?? 0}` }));
}

/** Values of a field that is JSON, as many as a body may hold. */
async function jsonWrites({ service }: Pick<Place, 'service'>): Promise<LoopCase[]> {
  const name = 'wide';
  const fields = [{ name: 'values', type: 'json' }];
  const isThere = (await send(service, { path: `/api/cms/types/${name}` })).status === 200;
  if (!isThere) await sendJson(service, { method: 'POST', path: '/api/admin/types', body: { name, fields } });
  const written = (title: string, values: (turn: number) => unknown): LoopCase => ({
    title: `write of JSON: ${title}`,
    isOpen: false,
    run: (turn) => send(service, { method: 'POST', path: `/api/cms/${name}`, body: { title, values: values(turn) } }),
  });
  return [
    written('90,000 numbers', (turn) => Array.from({ length: 90_000 }, (_, n) => n + turn)),
    written('9,000 keys', () =>
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`key_${n}`, `text ${n}`.repeat(8)])),
    ),
    written('1 MB of text', (turn) => [longText(turn)]),
  ];
}

async function longWrites({ service }: Place): Promise<LoopCase[]> {
  const [id = 0] = await idsOf(service, LONG, 1);
  const path = `/api/cms/${LONG}/${id}`;
  const write = (body: object): Promise<RawAnswer> => send(service, { method: 'PATCH', path, body });
  const revisions = async (): Promise<readonly { ts: number }[]> =>
    (await sendJson<{ data: readonly { ts: number }[] }>(service, { path: `${path}/revisions?per_page=100` })).data;
  const shapes = Object.entries(HOSTILE_TEXTS).map(([title, text]): LoopCase => ({
    title: `write of 1 MB: ${title}`,
    isOpen: false,
    run: (turn) => write({ body: text(turn + (Date.now() % 10_000) * 10) }),
  }));
  const unlike = async (turn: number): Promise<void> => {
    await sendJson(service, { method: 'PATCH', path, body: { body: longText(1_000 + turn) } });
    await sendJson(service, { method: 'PATCH', path, body: { body: longText(2_000 + turn) } });
  };
  return [
    ...shapes,
    { title: 'write of 1 MB: words', isOpen: false, run: (turn) => write({ body: longText(500 + turn) }) },
    ...(await jsonWrites({ service })),
    {
      title: 'title of a record of 1 MB',
      isOpen: false,
      run: (turn) => write({ title: `Long ${turn} ${Date.now()}` }),
    },
    {
      title: 'revisions of a record of 1 MB',
      isOpen: false,
      run: () => send(service, { path: `${path}/revisions?per_page=100` }),
    },
    {
      title: 'diff of two unlike texts of 1 MB',
      isOpen: false,
      prepare: unlike,
      run: async () => send(service, { path: `${path}/revisions/${(await revisions())[0]?.ts ?? 0}/diff` }),
    },
    {
      title: 'rollback of a record of 1 MB',
      isOpen: false,
      prepare: unlike,
      run: async () =>
        send(service, { method: 'POST', path: `${path}/rollback/${(await revisions())[1]?.ts ?? 0}`, body: {} }),
    },
    {
      title: 'dry run of a rollback of 1 MB of CJK',
      isOpen: false,
      prepare: async (turn) => {
        await sendJson(service, { method: 'PATCH', path, body: { body: HOSTILE_TEXTS.CJK?.(10 + turn) } });
        await sendJson(service, { method: 'PATCH', path, body: { body: HOSTILE_TEXTS.CJK?.(20 + turn) } });
      },
      run: async () =>
        send(service, {
          method: 'POST',
          path: `${path}/rollback/${(await revisions())[1]?.ts ?? 0}?dry_run=true`,
          body: {},
        }),
    },
  ];
}
