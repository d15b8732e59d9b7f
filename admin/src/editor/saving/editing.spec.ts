import { CmsError } from '@content-service/client';
import type { Echo, EchoStore } from './echo.js';
import { Editing } from './editing.js';
import { ModelService } from './model-service.js';
import type { Copies, Opened } from './working-copy.js';

describe('An editor', () => {
  let service: ModelService;
  let kept: Map<string, Echo>;

  beforeEach(() => {
    jest.useFakeTimers();
    [service, kept] = [new ModelService(), new Map()];
    service.put({ title: 'A title', body: 'A body' });
  });
  afterEach(() => jest.useRealTimers());

  const edited = (isNew = false, change: Partial<Opened> = {}, copy: Partial<Copies> = {}): Editing => {
    const echoes: EchoStore = {
      keep: (key, echo) => Promise.resolve(void kept.set(key, { ...echo, tab: '', at: 0 })),
      forget: (keys) => Promise.resolve(keys.forEach((key) => kept.delete(key))),
    };
    const copies = { ...service.copiesFor(new Set(), { isOver: false }), ...copy };
    return new Editing(isNew ? null : { ...service.opened(), ...change }, { type: 'post', user: 1, copies, echoes });
  };
  const settled = () => jest.advanceTimersByTimeAsync(60_000).then(() => undefined);
  const written = async (editing: Editing, field: string, text: string): Promise<void> => {
    editing.change(field, text);
    await settled();
  };
  const done = async <Result>(work: Promise<Result>): Promise<Result | 'failed'> => {
    const result = work.catch(() => 'failed' as const);
    await settled();
    return result;
  };
  const clashes = (editing: Editing) => editing.rivals().map(({ field, mine, theirs }) => ({ field, mine, theirs }));

  it('shows what a colleague has written when what is not public cannot be given up, and saves nothing over it', async () => {
    const editing = edited();
    await written(editing, 'title', 'Saved');
    service.patch({ title: 'Theirs' });
    editing.change('title', 'Mine');

    expect(await done(editing.discard())).toBe('failed');

    expect(clashes(editing)).toEqual([{ field: 'title', mine: 'Mine', theirs: 'Theirs' }]);
    expect(service.opened().current.title).toBe('Theirs');
  });

  it('brings both sides of a clash back that was given up with the rest', async () => {
    const editing = edited();
    await written(editing, 'body', 'Saved');
    service.patch({ title: 'Theirs' });
    await written(editing, 'title', 'Mine');
    const forgotten = await done(editing.discard());
    expect(service.opened().draft).toBeNull();

    if (forgotten !== 'failed') editing.writeAgain(forgotten);
    await settled();

    expect(service.opened().current).toMatchObject({ title: 'Theirs', body: 'Saved' });
    expect(editing.read().found.map(({ values }) => values)).toEqual([{ title: 'Mine' }]);
  });

  it('keeps what was typed while the rest was given up, and offers what stood there when that is taken back', async () => {
    const editing = edited();
    await written(editing, 'body', 'Given up');
    const discarding = editing.discard();
    await jest.advanceTimersByTimeAsync(50);
    editing.change('body', 'Typed since');
    const forgotten = await done(discarding);
    expect(editing.textOf('body')).toBe('Typed since');
    expect(clashes(editing)).toEqual([]);

    if (forgotten !== 'failed') editing.writeAgain(forgotten);
    await settled();

    expect(service.opened().current.body).toBe('Typed since');
    expect(editing.read().found.map(({ values }) => values)).toEqual([{ body: 'Given up' }]);
  });

  it('sends what is typed after a failed save was given up', async () => {
    const editing = edited();
    service.fates = ['is lost', 'is lost'];
    editing.change('title', 'Lost');
    await jest.advanceTimersByTimeAsync(1_000);
    await done(editing.discard());

    await written(editing, 'title', 'Typed on');

    expect(service.opened().current.title).toBe('Typed on');
  });

  it('makes nothing public that was begun as a draft and that others have published meanwhile', async () => {
    const editing = edited();
    await written(editing, 'body', 'Half a sentence');
    service.put({ status: 'published' });

    expect(await done(editing.save())).toBe(true);

    expect(service.opened().record).toMatchObject({ status: 'published', body: 'A body' });
    expect(service.opened().draft?.changed).toEqual(['body']);
  });

  it('publishes nothing that was never read here', async () => {
    const editing = edited();
    service.put({ body: 'Unseen' });

    expect(await done(editing.publish())).toBe('failed');

    expect(service.opened().record.status).toBe('draft');
    expect(editing.textOf('body')).toBe('Unseen');
  });

  it('says a fault once that the working copy and the refused publication name', async () => {
    const missing = { field: 'starts', rule: 'required', message: 'starts is required.' };
    const refused = new CmsError({ status: 422, code: 'validation_failed', message: '', details: [missing] });
    const draft = { version: 1, changed: [], faults: [missing] };
    const editing = edited(false, { draft }, { publish: () => Promise.reject(refused) });

    expect(await done(editing.publish())).toBe('failed');

    expect(editing.faults()).toEqual([missing]);
  });

  it('has text of a page that is gone clash with what was written since', async () => {
    const first = edited();
    service.fates = ['is lost'];
    first.change('body', 'Of the page that is gone');
    await jest.advanceTimersByTimeAsync(1_000);
    const [[key, echo] = []] = [...kept];
    const editing = edited();
    if (key !== undefined && echo) editing.offer({ ...echo, key });
    await written(editing, 'body', 'Written since');

    for (const found of editing.read().found) await done(editing.recover(found));

    expect(clashes(editing)).toEqual([{ field: 'body', mine: 'Of the page that is gone', theirs: 'Written since' }]);
    expect(service.opened().current.body).toBe('Written since');
  });

  it('offers what was written into a working copy that a colleague gives up', async () => {
    const editing = edited();
    await written(editing, 'body', 'Mine');
    await written(editing, 'title', 'Written back');
    await written(editing, 'title', 'A title');
    service.giveUp();

    await done(editing.refresh());

    expect(editing.textOf('body')).toBe('A body');
    expect(editing.read().found.map(({ values }) => values)).toEqual([{ body: 'Mine' }]);
    expect([...kept.values()].map(({ values }) => values)).toEqual([{ body: 'Mine' }]);
  });

  it('offers nothing when a colleague publishes what was written', async () => {
    const editing = edited();
    await written(editing, 'body', 'Mine');
    service.publish();

    await done(editing.refresh());

    expect(editing.read()).toMatchObject({ found: [], opened: { record: { status: 'published', body: 'Mine' } } });
  });

  it('offers a text of which the type has lost the field, and saves the rest', async () => {
    const editing = edited();
    service.unknown.add('summary');
    editing.change('summary', 'A long summary');
    await written(editing, 'title', 'Another title');

    expect(service.opened().current.title).toBe('Another title');
    expect(editing.isBusy).toBe(false);
    expect(editing.read().found.map(({ values }) => values)).toEqual([{ summary: 'A long summary' }]);
  });

  it('keeps a merge on the device until it is used', async () => {
    const editing = edited();
    editing.keepMerge('body', 'Of both');
    await settled();
    expect([...kept.values()]).toMatchObject([{ values: { body: 'Of both' }, id: 7, creation: null }]);

    editing.keepMerge('body', null);
    await settled();

    expect(kept.size).toBe(0);
  });

  it('takes up one new record that is gone, and leaves the others on the device', async () => {
    const editing = edited(true);
    const echo = { user: 1, tab: '', type: 'post', id: null, held: {}, creation: null, at: 0 };
    editing.offer({ ...echo, key: 'one', values: { body: 'One' } });
    editing.offer({ ...echo, key: 'two', values: { body: 'Two' } });

    for (const found of editing.read().found) await done(editing.recover(found));

    expect(editing.textOf('body')).toBe('One');
    expect(editing.read().found.map(({ key }) => key)).toEqual(['two']);
  });
});
