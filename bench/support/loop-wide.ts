import type { LoopCase, Place } from './loop-case.js';
import { ITEM } from './loop-content.js';
import { send, sendJson, type RawAnswer } from './raw.js';

const LISTS = 98;
const ITEMS = 900;
const TYPE = 'lists';
const RELATIONS = 90;
const TARGETS = 1_000;
/** Short items: a body has a megabyte. */
const RADIX = 36;

/** Values for as many lists as a body may hold items of, which all have a row in the side index. */
function lists(turn: number): Record<string, string[]> {
  const items = Array.from({ length: ITEMS }, (_, n) => ((turn % RADIX) * 1_000 + n).toString(RADIX));
  return Object.fromEntries(Array.from({ length: LISTS }, (_, n) => [`list_${n}`, items]));
}

/** Writes of records with tens of thousands of rows in the side index: hundreds of kilobytes. */
export async function wideWrites(place: Place): Promise<LoopCase[]> {
  const writes = [...(await relations(place)), ...(await listWrites(place))];
  return writes.map((one) => ({ ...one, isLargest: true }));
}

async function listWrites({ service }: Pick<Place, 'service'>): Promise<LoopCase[]> {
  const path = `/api/cms/${TYPE}`;
  const fields = Object.keys(lists(0)).map((name) => ({ name, type: 'list', of: 'string', indexed: true }));
  const isThere = (await send(service, { path: `/api/cms/types/${TYPE}` })).status === 200;
  if (!isThere) await sendJson(service, { method: 'POST', path: '/api/admin/types', body: { name: TYPE, fields } });
  const changed = await sendJson<{ data: { id: number } }>(service, {
    method: 'POST',
    path,
    body: { title: 'Lists', ...lists(0) },
  });
  return [
    {
      title: `wrong items in ${LISTS} lists`,
      isOpen: false,
      run: () => {
        const wrong = Object.entries(lists(0)).map(([name, items]) => [name, items.map((_, n) => n)] as const);
        return send(service, { method: 'POST', path, body: { title: 'Wrong', ...Object.fromEntries(wrong) } });
      },
    },
    {
      title: `write of ${LISTS} indexed lists of ${ITEMS} items`,
      isOpen: false,
      run: (turn) =>
        send(service, { method: 'POST', path, body: { title: `Lists ${turn} ${Date.now()}`, ...lists(turn) } }),
    },
    {
      title: `change of one of ${LISTS} indexed lists of ${ITEMS} items`,
      isOpen: false,
      run: (turn) => {
        const list = lists(turn + Date.now()).list_0;
        return send(service, { method: 'PATCH', path: `${path}/${changed.data.id}`, body: { list_0: list } });
      },
    },
  ];
}

/** Records of 90 relations to a thousand others each. */
async function relations({ service }: Pick<Place, 'service'>): Promise<LoopCase[]> {
  const name = 'relations';
  const fields = Array.from({ length: RELATIONS }, (_, n) => ({
    name: `to_${n}`,
    type: 'relation',
    to: [ITEM],
    many: true,
  }));
  const isThere = (await send(service, { path: `/api/cms/types/${name}` })).status === 200;
  if (!isThere) await sendJson(service, { method: 'POST', path: '/api/admin/types', body: { name, fields } });
  const targets: number[] = [];
  for (let page = 1; targets.length < TARGETS; page += 1) {
    const some = await sendJson<{ data: readonly { id: number }[] }>(service, {
      path: `/api/cms/${ITEM}?fields=id&per_page=100&page=${page}`,
    });
    targets.push(...some.data.map(({ id }) => id));
  }
  const to = (first: number): Record<string, number[]> => {
    const turned = [...targets.slice(first), ...targets.slice(0, first)];
    return Object.fromEntries(fields.map((field) => [field.name, turned]));
  };
  const body = { title: 'Relations', ...to(0) };
  const created = await sendJson<{ data: { id: number } }>(service, { method: 'POST', path: `/api/cms/${name}`, body });
  const path = `/api/cms/${name}/${created.data.id}`;
  const rollback = async (query: string): Promise<RawAnswer> => {
    const { data } = await sendJson<{ data: readonly { ts: number }[] }>(service, { path: `${path}/revisions` });
    return send(service, { method: 'POST', path: `${path}/rollback/${data[1]?.ts ?? 0}${query}`, body: {} });
  };
  const change = (turn: number): Promise<RawAnswer> =>
    send(service, { method: 'PATCH', path, body: to((turn + Date.now()) % TARGETS) });
  const title = `${RELATIONS} relations to ${TARGETS} records`;
  return [
    { title: `change of ${title}`, isOpen: false, run: change },
    {
      title: `dry run of a rollback of ${title}`,
      isOpen: false,
      prepare: change,
      run: () => rollback('?dry_run=true'),
    },
    { title: `rollback of ${title}`, isOpen: false, prepare: change, run: () => rollback('') },
  ];
}
