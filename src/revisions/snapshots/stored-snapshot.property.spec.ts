import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import type { Snapshot } from './snapshot.js';
import { DamagedSnapshotError, stored, unpacked } from './stored-snapshot.js';

/** Texts with repetitions, as documents have them, and with everything that UTF-8 can be. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom('the quick brown fox ', 'jumps over ', 'a lazy dog. ', 'Žluťoučký kůň ', '日本語の文 ', '\n'),
      {
        maxLength: 200,
      },
    )
    .map((words) => words.join('')),
);

const snapshotWith = (body: string): Snapshot => ({
  title: 'One',
  slug: 'one',
  body,
  status: 'draft',
  locale: 'en',
  published_at: null,
  fields: [],
  terms: {},
});
const packed = async (snapshot: Snapshot): Promise<Buffer> => (await stored(snapshot)).bytes;

describe('Snapshots', () => {
  it('are read as they were written, whatever stands in them', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const snapshot = snapshotWith(body);

        expect(await unpacked(await packed(snapshot))).toEqual(snapshot);
      }),
    );
  });

  it.each([0, 65_300, 65_536, 4_000_000])('are read as they were written: with %i characters', async (length) => {
    const snapshot = snapshotWith('words '.repeat(length / 6));

    expect(await unpacked(await packed(snapshot))).toEqual(snapshot);
  });

  it('that are long let other work go on in between', async () => {
    const order: string[] = [];

    const made = packed(snapshotWith('words '.repeat(200_000))).then(() => order.push('packed'));
    setImmediate(() => order.push('other'));
    await made;

    expect(order).toEqual(['other', 'packed']);
  });
});

describe('Damaged snapshots', () => {
  it('are found out, whichever byte is another one', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat(255), async (body, at, to) => {
        const snapshot = snapshotWith(body);
        const bytes = await packed(snapshot);
        bytes[at % bytes.length] = to;

        const found = await unpacked(bytes).catch((error: unknown) => {
          expect(error).toBeInstanceOf(DamagedSnapshotError);
          return null;
        });

        expect(found === null || JSON.stringify(found) === JSON.stringify(snapshot)).toBe(true);
      }),
    );
  });

  it.each([
    ['are cut off', async () => (await packed(snapshotWith('A text'))).subarray(0, -1)],
    ['are none', () => Promise.resolve(Buffer.alloc(0))],
    ['are no JSON', () => Promise.resolve(gzipSync('{'))],
    ['stand for far more than any snapshot has', () => Promise.resolve(gzipSync(Buffer.alloc(68_000_000)))],
  ])('are refused whose bytes %s', async (_, bytes) => {
    await expect(unpacked(await bytes())).rejects.toThrow(DamagedSnapshotError);
  });
});
