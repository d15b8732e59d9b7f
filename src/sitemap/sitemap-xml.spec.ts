import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { urlsetXml, type SitemapEntry } from './sitemap-xml.js';

async function* entries(count: number): AsyncGenerator<SitemapEntry> {
  for (let n = 0; n < count; n += 1)
    yield await Promise.resolve({ url: `https://example.com/posts/${n}`, changedAt: n });
}

/** Counts the turns of the event loop until something is done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  const state = { turns: 0, isOver: false };
  const next = (): void => {
    state.turns += 1;
    if (!state.isOver) setImmediate(next);
  };
  setImmediate(next);
  await done.finally(() => (state.isOver = true));
  return state.turns;
}

describe('A file of the sitemap', () => {
  it('lets other requests go on while it is made, however fast it is read', async () => {
    const [source, items, gathered] = urlsetXml(entries(5_000));
    const made = text(gathered);

    expect(await turnsUntil(pipeline(source, items, gathered))).toBeGreaterThan(20);
    expect((await made).match(/<loc>/g)).toHaveLength(5_000);
  });
});
