import { CmsError } from '@content-service/client';
import { SaveQueue, type SaveState, type Values } from './save-queue.js';

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
    expect(queue.isBusy).toBe(false);
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
    expect(queue.isBusy).toBe(true);

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

  it('keeps what was typed when someone else has written meanwhile', async () => {
    answers.push(() => Promise.reject(failure(412, 'version_conflict')));
    queue.add({ title: 'Mine' });

    expect(await queue.flush()).toBe(false);
    expect(states.at(-1)).toBe('conflict');
    expect(await queue.flush()).toBe(true);
    expect(sent).toEqual([{ title: 'Mine' }, { title: 'Mine' }]);
  });

  it('forgets what is discarded', async () => {
    queue.add({ title: 'Hello' });
    queue.clear();
    await jest.advanceTimersByTimeAsync(5_000);

    expect([sent, queue.isBusy]).toEqual([[], false]);
  });
});
