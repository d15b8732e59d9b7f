import { randomUUID } from 'node:crypto';
import { together, type LoopCase, type Place } from './loop-case.js';
import { importItems, importLong, ITEM, LONG } from './loop-content.js';
import { besideReaders } from './loop-crowds.js';
import { DATA_DIR, POSTS } from './options.js';
import { send, sendJson, type RawAnswer } from './raw.js';
import { command } from './service.js';
import { accounts, loginCall, remove } from './sign-ins.js';

const WRITES = 2;
const IMPORTED = 2_000;
const CROWD = 10;

/** Requests that change much at once: terms, types, commands beside the service; and people who sign in. */
export async function changes(place: Place): Promise<LoopCase[]> {
  return [...(await terms(place)), ...types(place), ...commands(place), ...(await people(place))];
}

async function terms(place: Place): Promise<LoopCase[]> {
  const { service } = place;
  const { data } = await sendJson<{ data: readonly { id: number; count: number }[] }>(service, {
    path: '/api/cms/taxonomy/tag',
  });
  const many = data.filter(({ count }) => count >= POSTS / 200).map(({ id }) => id);
  const take = (): number => many.pop() ?? 0;
  return [
    {
      title: 'merge of a tag of 1,000 records',
      isOpen: false,
      runs: WRITES,
      run: () =>
        send(service, { method: 'POST', path: `/api/cms/taxonomy/tag/${take()}/merge`, body: { into: many[0] ?? 0 } }),
    },
    {
      title: 'forced deletion of a tag of 1,000 records',
      isOpen: false,
      runs: WRITES,
      run: () => send(service, { method: 'DELETE', path: `/api/cms/taxonomy/tag/${take()}?force=true` }),
    },
  ];
}

interface TypeAnswer {
  readonly data: { readonly fields: readonly Readonly<Record<string, unknown> & { name: string }>[] };
}

/** Changes of the type of all those records. Those that are refused can be asked for again. */
function types(place: Place): LoopCase[] {
  const { service } = place;
  const path = `/api/admin/types/${ITEM}`;
  const change = (title: string, runs: number, field: string, rules: object | null, query = ''): LoopCase => ({
    title: `type: ${title}`,
    isOpen: false,
    runs,
    run: async () => {
      const { data } = await sendJson<TypeAnswer>(service, { path });
      const fields = data.fields.flatMap((own) =>
        own.name !== field ? [own] : rules === null ? [] : [{ ...own, ...rules }],
      );
      return send(service, { method: 'PUT', path: path + query, body: { fields } });
    },
  });
  return [
    change('a label', WRITES, 'note', { label: 'Note' }),
    change('a field left out (409)', WRITES, 'note', null),
    change('a narrower rule (409)', WRITES, 'rank', { max: 10 }),
    change('required', WRITES, 'rank', { required: true }),
    change('not required', WRITES, 'rank', { required: false }),
    change('unique (409)', WRITES, 'code', { unique: true }),
    besideReaders(place, change('required again', WRITES, 'rank', { required: true })),
    besideReaders(place, change('not required again', WRITES, 'rank', { required: false })),
    change('an index', 1, 'note', { indexed: true }),
    change('no index any more', 1, 'note', { indexed: false }, `?confirm=${ITEM}`),
  ];
}

/** The command line beside the service. */
function commands({ databaseUrl, service }: Place): LoopCase[] {
  const nothing = async (work: Promise<void>): Promise<null> => {
    await work;
    return null;
  };
  const file = `${DATA_DIR}/beside.csv`;
  const range = { name: 'beside', first: POSTS + 1, last: POSTS + IMPORTED };
  return [
    {
      title: `import of ${IMPORTED} records beside`,
      isOpen: false,
      runs: 1,
      run: () => nothing(importItems(databaseUrl, { ...range, prefix: randomUUID() })),
    },
    {
      title: 'import of 30 records of 1 MB beside, and a write',
      isOpen: false,
      runs: 1,
      run: async () => {
        const beside = importLong(databaseUrl, 30);
        let slowest: RawAnswer | null = null;
        const state = { isOver: false };
        const end = beside.finally(() => (state.isOver = true));
        while (!state.isOver) {
          const answer = await send(service, {
            method: 'PATCH',
            path: `/api/cms/${ITEM}/1`,
            body: { note: randomUUID() },
          });
          if (answer.ms > (slowest?.ms ?? 0)) slowest = answer;
        }
        await end;
        return slowest;
      },
    },
    {
      title: 'export of records of 1 MB beside',
      isOpen: false,
      runs: 1,
      run: () => nothing(command(databaseUrl, ['export', '--out', file, '--type', LONG, '--format', 'csv'])),
    },
  ];
}

async function people({ service }: Place): Promise<LoopCase[]> {
  const made = await accounts(service, CROWD);
  const login = async (n: number): Promise<RawAnswer> => {
    const { path, body } = loginCall(made[n] ?? { id: 0, email: '' });
    return send(service, { method: 'POST', path, body: body ?? {}, isOpen: true });
  };
  return [
    { title: '10 sign in at once', isOpen: true, run: () => together(CROWD, login) },
    {
      title: 'a new account',
      isOpen: false,
      runs: 3,
      run: async () => {
        const started = performance.now();
        await remove(service, await accounts(service, 1));
        return { status: 201, bytes: 0, ms: performance.now() - started, text: '' };
      },
    },
  ];
}
