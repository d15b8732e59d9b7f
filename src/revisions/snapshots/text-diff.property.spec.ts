import fc from 'fast-check';
import { tickMonotonicClock } from '../../../test/support/clock.js';
import { TurnCounter } from '../../../test/support/turn-counter.js';
import { TextDiff, type TextChange } from './text-diff.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(fc.constantFrom('one ', 'two, ', 'three.\n', 'čtyři ', 'пять ', '日本語', '👩‍🚀 ', '\t'), { maxLength: 40 })
    .map((all) => all.join('')),
);

const joined = (changes: readonly TextChange[] | null, without: TextChange['op']): string =>
  (changes ?? []).flatMap((change) => (change.op === without ? [] : [change.text])).join('');

const words = async (from: string, to: string) =>
  (await new TextDiff().changes(from, to))?.map(
    ({ op, text: part }) => ({ equal: '', insert: '+', delete: '-' })[op] + part,
  );

describe('The comparison of texts', () => {
  afterEach(() => jest.restoreAllMocks());

  it('puts both texts together again', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (from, to) => {
        const changes = await new TextDiff().changes(from, to);

        expect([joined(changes, 'insert'), joined(changes, 'delete')]).toEqual([from, to]);
      }),
    );
  });

  it('has neither empty pieces nor two of a kind side by side', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (from, to) => {
        const changes = (await new TextDiff().changes(from, to)) ?? [];

        expect(changes.filter((change, index) => change.text === '' || change.op === changes[index + 1]?.op)).toEqual(
          [],
        );
      }),
    );
  });

  it('never takes a letter apart', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (from, to) => {
        for (const { text: part } of (await new TextDiff().changes(from, to)) ?? [])
          expect(part.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ['the same', 'the same', ['the same']],
    ['a brown fox', 'a brave fox', ['a ', '-brown', '+brave', ' fox']],
    ['brown', 'brow', ['-brown', '+brow']],
    ['Новый дом', 'Новая школа', ['-Новый', '+Новая', ' ', '-дом', '+школа']],
    ['日本語の文', '日本語の本', ['日本語の', '-文', '+本']],
    ['', 'new', ['+new']],
    ['old', '', ['-old']],
  ])('goes word by word: %j to %j', async (from, to, expected) => {
    expect(await words(from, to)).toEqual(expected);
  });

  it('goes line by line, or gives up, when the texts are too different for the time it has', async () => {
    const noise = (seed: number) => Array.from({ length: 40_000 }, (_, n) => ((n + 1) * seed) % 99_991).join(' ');

    const changes = await new TextDiff().changes(noise(7_919), noise(104_729));

    expect(changes === null || changes.length <= 2).toBe(true);
  });

  it('lets other work go on in between', async () => {
    tickMonotonicClock(4);
    const turns = new TurnCounter();

    await new TextDiff().changes('a b '.repeat(200_000), 'c d '.repeat(200_000));

    // Five of them come between the steps of any comparison.
    expect(turns.stop()).toBeGreaterThan(8);
  });
});
