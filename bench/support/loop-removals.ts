import { type LoopCase, type Place } from './loop-case.js';
import { idsOf, ITEM, LONG } from './loop-content.js';
import { POSTS } from './options.js';
import { send, sendJson, type RawAnswer } from './raw.js';

interface Counted {
  readonly id: number;
  readonly count: number;
}

const MANY = POSTS / 10;

/** Requests that remove much at once. The last one takes the content, which the next run makes anew. */
export function removals(place: Place): LoopCase[] {
  const { service } = place;
  const tags = async (): Promise<readonly Counted[]> => {
    const { data } = await sendJson<{ data: readonly Counted[] }>(service, { path: '/api/cms/taxonomy/tag' });
    return data.toSorted((a, b) => b.count - a.count);
  };
  const merge = (from: number, into: number): Promise<RawAnswer> =>
    send(service, { method: 'POST', path: `/api/cms/taxonomy/tag/${from}/merge`, body: { into } });
  /** One tag that a tenth of the records hold. */
  const gather = async (): Promise<void> => {
    for (let [largest, next] = await tags(); largest && next && largest.count < MANY; [largest, next] = await tags()) {
      await merge(next.id, largest.id);
    }
  };
  const largest = async (): Promise<number> => (await tags())[0]?.id ?? 0;
  const last = async (): Promise<number> => (await tags()).at(-1)?.id ?? 0;
  return [
    {
      title: 'new name of a tag of 10,000 records',
      isOpen: false,
      runs: 2,
      prepare: gather,
      run: async (turn) =>
        send(service, {
          method: 'PATCH',
          path: `/api/cms/taxonomy/tag/${await largest()}`,
          body: { name: `Renamed ${turn} ${Date.now()}` },
        }),
    },
    {
      title: 'merge of a tag of 10,000 records',
      isOpen: false,
      runs: 1,
      prepare: gather,
      run: async () => merge(await largest(), await last()),
    },
    {
      title: 'forced deletion of a tag of 10,000 records',
      isOpen: false,
      runs: 1,
      prepare: gather,
      run: async () => send(service, { method: 'DELETE', path: `/api/cms/taxonomy/tag/${await largest()}?force=true` }),
    },
    {
      title: 'restore of a record of 1 MB',
      isOpen: false,
      runs: 3,
      run: async () => {
        const [id = 0] = await idsOf(service, LONG, 1);
        await sendJson(service, { method: 'DELETE', path: `/api/cms/${LONG}/${id}` });
        return send(service, { method: 'POST', path: `/api/cms/${LONG}/${id}/restore` });
      },
    },
    removal(place, LONG, 'a type with 130 records of 1 MB'),
    removal(place, ITEM, 'a type with all the records'),
  ];
}

function removal({ service }: Place, name: string, title: string): LoopCase {
  return {
    title: `deletion of ${title}`,
    isOpen: false,
    runs: 1,
    isLast: true,
    prepare: () => removeIfThere(service, 'ready').then(() => removeIfThere(service, 'bundle')),
    run: () => send(service, { method: 'DELETE', path: `/api/admin/types/${name}?confirm=${name}` }),
  };

  async function removeIfThere(from: Place['service'], type: string): Promise<void> {
    await send(from, { method: 'DELETE', path: `/api/admin/types/${type}?confirm=${type}` });
  }
}
