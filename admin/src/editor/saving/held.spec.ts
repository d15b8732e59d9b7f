import type { Echo, EchoStore } from './echo.js';
import { Editing } from './editing.js';
import { ModelService } from './model-service.js';

describe('What stands in an input and can be saved in no way', () => {
  let service: ModelService;
  let kept: Map<string, Echo>;

  beforeEach(() => {
    jest.useFakeTimers();
    [service, kept] = [new ModelService(), new Map()];
    service.put({ title: 'A title', note: 'saved' });
  });
  afterEach(() => jest.useRealTimers());

  const edited = (): Editing => {
    const echoes: EchoStore = {
      keep: (key, echo) => Promise.resolve(void kept.set(key, { ...echo, tab: '', at: 0 })),
      forget: (keys) => Promise.resolve(keys.forEach((key) => kept.delete(key))),
    };
    const copies = service.copiesFor(new Set(), { isOver: false });
    return new Editing(service.opened(), { type: 'post', user: 1, copies, echoes });
  };

  it('is never sent, while the rest is saved, and keeps the record from being published', async () => {
    const editing = edited();
    editing.hold('note', '{', 'no JSON');
    editing.change('body', 'text');
    const published = editing.publish();
    await jest.runAllTimersAsync();

    expect(await published).toBe(false);
    expect(editing.read().state).toBe('refused');
    expect(editing.faults()).toEqual([{ field: 'note', rule: 'held', message: 'no JSON' }]);
    expect([...service.stored]).toEqual(expect.arrayContaining(['saved', 'text']));
    expect(service.stored.has('{')).toBe(false);
  });

  it('stays on the device, and stands in its input again after the page was killed', async () => {
    edited().hold('note', '{', 'no JSON');
    await jest.runAllTimersAsync();
    const [[key, echo] = []] = [...kept];

    const next = edited();
    if (key !== undefined && echo) next.offer({ ...echo, key });
    for (const found of next.read().found) await next.recover(found);

    expect(next.read().held).toEqual({ note: { input: '{', fault: 'no JSON' } });
    expect(next.isBusy).toBe(true);
  });

  it('ends with the next value', async () => {
    const editing = edited();
    editing.hold('note', '{', 'no JSON');
    editing.change('note', '{}');
    await jest.runAllTimersAsync();

    expect([editing.read().state, editing.isBusy, editing.faults()]).toEqual(['clean', false, []]);
    expect(service.stored.has('{}')).toBe(true);
    expect(kept.size).toBe(0);
  });
});
