import { CmsError } from '@content-service/client';
import { ClashError, SaveQueue, type SaveState, type Values } from './save-queue.js';

const failure = (status: number, code: string, ...fields: string[]): CmsError =>
  new CmsError({ status, code, message: code, details: fields.map((field) => ({ field })) });

describe('SaveQueue', () => {
  let sent: Values[];
  let states: SaveState[];
  let answers: (() => Promise<void>)[];
  let queue: SaveQueue;

  beforeEach(() => {
    jest.useFakeTimers();
    [sent, states, answers] = [[], [], []];
    queue = new SaveQueue({
      save: (values) => {
        sent.push(values);
        return answers.shift()?.() ?? Promise.resolve();
      },
      onState: (state) => states.push(state),
    });
  });

  afterEach(() => jest.useRealTimers());

  it('sends once what is typed without a pause', async () => {
    queue.add({ title: 'H' });
    await jest.advanceTimersByTimeAsync(500);
    queue.add({ title: 'Hello', body: 'World' });
    await jest.advanceTimersByTimeAsync(900);

    expect(sent).toEqual([{ title: 'Hello', body: 'World' }]);
    expect(states).toEqual(['waiting', 'waiting', 'saving', 'clean']);
    expect(queue.unsaved).toEqual({});
  });

  it('sends what is typed during a save right behind it, so that the last key arrives', async () => {
    let answer = (): void => undefined;
    answers.push(() => new Promise((resolve) => (answer = resolve)));
    queue.add({ body: 'a' });
    const flushed = queue.flush();
    queue.add({ body: 'ab' });
    answer();

    expect(await flushed).toBe(true);
    expect(sent).toEqual([{ body: 'a' }, { body: 'ab' }]);
  });

  it('sends again, with what was typed since, when the service did not answer', async () => {
    answers.push(() => Promise.reject(failure(0, 'unreachable')));
    queue.add({ title: 'Hello' });

    expect(await queue.flush()).toBe(false);
    expect(states.at(-1)).toBe('offline');
    queue.add({ body: 'World' });
    await jest.advanceTimersByTimeAsync(2_000);

    expect(sent.at(-1)).toEqual({ title: 'Hello', body: 'World' });
    expect(states.at(-1)).toBe('clean');
  });

  it.each([
    ['a field that is refused', failure(422, 'validation_failed', 'rating')],
    ['an item in a field that is refused', failure(422, 'validation_failed', 'rating.0')],
  ])('saves the others beside %s', async (_, error) => {
    answers.push(() => Promise.reject(error));
    queue.add({ title: 'Hello', rating: 7 });

    expect(await queue.flush()).toBe(false);
    expect(sent).toEqual([{ title: 'Hello', rating: 7 }, { title: 'Hello' }]);
    expect(states.at(-1)).toBe('refused');
    expect(queue.unsaved).toEqual({ rating: 7 });

    queue.add({ rating: 5 });
    expect(await queue.flush()).toBe(true);
    expect(sent.at(-1)).toEqual({ rating: 5 });
  });

  it('takes a slug that another record has for a field that is refused', async () => {
    answers.push(() => Promise.reject(failure(409, 'slug_taken')));
    queue.add({ slug: 'hello' });

    expect(await queue.flush()).toBe(false);
    expect(states.at(-1)).toBe('refused');
  });

  it('waits as long as the service asks for, whatever is typed meanwhile', async () => {
    const busy = new CmsError({ status: 503, code: 'overloaded', message: '', retryAfter: 7 });
    answers.push(() => Promise.reject(busy));
    queue.add({ title: 'Hello' });
    await queue.flush();
    queue.add({ title: 'Hello!' });
    await jest.advanceTimersByTimeAsync(6_000);
    expect(sent).toHaveLength(1);

    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent.at(-1)).toEqual({ title: 'Hello!' });
  });

  it('saves the others beside a field that someone else has changed too, which waits for a decision', async () => {
    answers.push(() => Promise.reject(new ClashError(['title'])));
    queue.add({ title: 'Mine', body: 'Text' });

    expect(await queue.flush()).toBe(false);
    expect([states.at(-1), queue.undecided]).toEqual(['conflict', ['title']]);
    queue.add({ title: 'Mine, longer' });
    expect(await queue.flush()).toBe(false);
    expect(sent).toEqual([{ title: 'Mine', body: 'Text' }, { body: 'Text' }]);

    queue.decide({ title: 'Both' });
    expect(await queue.flush()).toBe(true);
    expect(sent.at(-1)).toEqual({ title: 'Both' });
  });

  it('tries a field that is typed anew while it is refused', async () => {
    let refuse = (): void => undefined;
    answers.push(
      () => new Promise((_, reject) => (refuse = () => reject(failure(422, 'validation_failed', 'rating')))),
    );
    queue.add({ rating: 7 });
    const flushed = queue.flush();
    queue.add({ rating: 5 });
    refuse();

    expect(await flushed).toBe(true);
    expect(sent).toEqual([{ rating: 7 }, { rating: 5 }]);
  });

  it('forgets what is discarded, behind the request that is under way', async () => {
    let answer = (): void => undefined;
    answers.push(() => new Promise((resolve) => (answer = resolve)));
    queue.add({ title: 'Hello' });
    void queue.flush();
    queue.add({ body: 'World' });
    const emptied = queue.empty();
    answer();

    expect(await emptied).toEqual({ body: 'World' });
    await jest.advanceTimersByTimeAsync(5_000);
    expect([sent, queue.unsaved]).toEqual([[{ title: 'Hello' }], {}]);
  });
});
