import fc from 'fast-check';
import { once } from 'node:events';
import threads, { type Worker } from 'node:worker_threads';
import { documentTerms, type TextPart } from '../queries/document-text.js';
import { TextAnalysis } from './text-analysis.js';

const LONG = 40_000;
/** What is dear to analyse, or easily cut in the wrong place. */
const PIECES = [
  '<b>x</b>',
  '<a b="',
  '<script>',
  '[](',
  '\n---\n',
  '| a | b |\n',
  '`',
  '```\n',
  "o'n'",
  'C++ #',
  'e\u0301\u0302',
  '\u00AD',
  '漢',
  '한글',
  'ไทย',
  '\u{20BB7}',
  '\uD800',
  '**_',
  '&amp;&#x27;',
  'x',
  'ab cd ',
  '\n',
];

const longText = fc
  .tuple(
    fc.constantFrom(...PIECES),
    fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 7 }),
  )
  .map(([first, others]) => [first, ...others].join(''))
  .map((text) => text.repeat(Math.ceil(LONG / text.length)));
const parts = fc.array(fc.record({ text: longText, isMarked: fc.boolean() }), { minLength: 1, maxLength: 3 });

const words = (count: number): TextPart[] => [{ text: 'several words '.repeat(count), isMarked: true }];

/** The threads that are started from now on. */
function startedThreads(): Worker[] {
  const { Worker: Original } = threads;
  const started: Worker[] = [];
  jest.spyOn(threads, 'Worker').mockImplementation((...args) => {
    const thread = new Original(...args);
    started.push(thread);
    return thread;
  });
  return started;
}

describe('Long texts that are analysed in a thread', () => {
  let analysis: TextAnalysis;

  beforeEach(() => {
    analysis = new TextAnalysis();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await analysis.stop();
  });

  it.each(PIECES)('have the same terms as without it: %j again and again', async (piece) => {
    const one = [{ text: piece.repeat(Math.ceil(LONG / piece.length)), isMarked: true }];

    expect((await analysis.termsOf(one)) === documentTerms(one)).toBe(true);
  });

  it('have the same terms as without it, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (some) => {
        expect((await analysis.termsOf(some)) === documentTerms(some)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('get each their own answer when several are asked for at once', async () => {
    const several = [9_000, 3_000, 6_000, 4_000].map(words);

    const answers = await Promise.all(several.map((one) => analysis.termsOf(one)));

    expect(answers.map(({ length }) => length)).toEqual(several.map((one) => documentTerms(one).length));
  });

  it('let other work go on', async () => {
    const order: string[] = [];
    const terms = analysis.termsOf(words(70_000)).then(() => order.push('terms'));
    setImmediate(() => order.push('other'));

    await terms;

    expect(order).toEqual(['other', 'terms']);
  });

  it('share one thread, and short texts need none', async () => {
    const started = startedThreads();
    await analysis.termsOf(words(3));
    expect(started).toHaveLength(0);

    await analysis.termsOf(words(3_000));
    await Promise.all([analysis.termsOf(words(3_000)), analysis.termsOf(words(3_001))]);

    expect(started).toHaveLength(1);
  });

  it('are analysed nevertheless when the thread dies, and later ones in another thread', async () => {
    const started = startedThreads();
    const dying = [analysis.termsOf(words(60_000)), analysis.termsOf(words(4_000))];
    await started[0]?.terminate();

    expect(await Promise.all(dying)).toEqual([60_000, 4_000].map((count) => documentTerms(words(count))));
    await analysis.termsOf(words(5_000));
    expect(started).toHaveLength(2);
  });

  it('are waited for by a process that has nothing else to do, and a thread without work keeps none alive', async () => {
    const started = startedThreads();
    const terms = analysis.termsOf(words(4_000));
    const [thread] = started;
    if (!thread) throw new Error('No thread was started.');
    const unref = jest.spyOn(thread, 'unref');

    expect(unref).not.toHaveBeenCalled();
    await terms;

    expect(unref).toHaveBeenCalledTimes(1);
    await Promise.all([once(thread, 'exit'), analysis.stop()]);
  });
});
