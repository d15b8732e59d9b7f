import fc from 'fast-check';
import type { Echo, EchoStore, KeptEcho } from './echo.js';
import { Editing } from './editing.js';
import { ModelService, type Fate, type Life } from './model-service.js';

type Field = 'title' | 'body' | 'note';
const FIELDS = ['title', 'body', 'note'] as const;

/** A page with an editor, and someone who remembers what they typed last into each field. */
class ModelPage {
  readonly seen = new Set<unknown>();
  readonly wanted = new Map<Field, string>();
  editing: Editing;
  private life: Life = { isOver: false };

  /** @param kept what the device has, which outlives the pages */
  constructor(
    private readonly service: ModelService,
    private readonly kept: Map<string, Echo>,
  ) {
    this.editing = this.open();
  }

  type(field: Field, text: string): void {
    this.wanted.set(field, text);
    this.editing.change(field, text);
  }

  decide(takesTheirs: boolean): void {
    for (const { field, mine, theirs } of this.editing.rivals()) {
      if (takesTheirs) this.wanted.delete(field as Field);
      this.editing.decide(field, takesTheirs ? theirs : mine);
    }
  }

  /** The page ends without a word, its address is opened again, and what was typed is taken up. */
  async kill(): Promise<void> {
    const { key } = this.editing;
    const echo = this.kept.get(key);
    this.life.isOver = true;
    this.life = { isOver: false };
    this.editing = this.open(echo && { ...echo, key });
    const [found] = this.editing.read().found;
    if (found) await this.editing.recover(found);
  }

  look(): void {
    for (const field of [...FIELDS, 'slug']) this.seen.add(this.editing.valueOf(field));
    for (const { mine, theirs } of this.editing.rivals()) this.seen.add(mine).add(theirs);
  }

  /** What was typed last and is neither on the screen, nor on the device, nor was ever stored. */
  missing(): string[] {
    const kept = [...this.kept.values()].flatMap(({ values, creation }) => [
      ...Object.values(values),
      ...Object.values(creation?.body ?? {}),
    ]);
    const isThere = (field: Field, text: string) =>
      this.editing.valueOf(field) === text || kept.includes(text) || this.service.stored.has(text);
    return [...this.wanted].filter(([field, text]) => !isThere(field, text)).map(([, text]) => text);
  }

  private open(found?: KeptEcho): Editing {
    const { life, kept } = this;
    const echoes: EchoStore = {
      keep: (key, echo) => {
        if (!life.isOver) kept.set(key, { ...echo, tab: '', at: 0 });
        return Promise.resolve();
      },
      forget: (keys) => {
        for (const key of keys) if (!life.isOver) kept.delete(key);
        return Promise.resolve();
      },
    };
    const isNew = this.service.record === null || found?.id === null;
    const opened = isNew ? null : this.service.opened();
    const copies = this.service.copiesFor(this.seen, life);
    const editing = new Editing(opened, { type: 'post', user: 1, copies, echoes });
    if (found) editing.offer(found);
    this.editing = editing;
    editing.subscribe(() => life.isOver || this.look());
    this.look();
    return editing;
  }
}

/** What happens, in any order. */
type Step =
  | {
      readonly do: 'type' | 'colleague changes the copy' | 'colleague changes the record';
      readonly page: number;
      readonly field: Field;
    }
  | { readonly do: 'decide for mine' | 'decide for theirs' | 'publish' | 'save' | 'kill'; readonly page: number }
  | { readonly do: 'wait'; readonly for: number }
  | { readonly do: 'network'; readonly fate: Fate };

const page = fc.constantFrom(0, 0, 1);
const field = fc.constantFrom(...FIELDS);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('type' as const), page, field }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('wait' as const), for: fc.constantFrom(20, 100, 950, 4_000) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('network' as const),
        fate: fc.constantFrom<Fate>('is lost', 'loses its answer', 'loses its answer', 'meets a full service'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('colleague changes the copy' as const, 'colleague changes the record' as const),
        page,
        field,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'decide for mine' as const,
          'decide for theirs' as const,
          'publish' as const,
          'save' as const,
          'kill' as const,
        ),
        page,
      }),
    },
  ),
  { minLength: 4, maxLength: 30 },
);

/** Plays steps with two pages of one person, a colleague and a network. */
class Play {
  readonly service = new ModelService();
  readonly kept = new Map<string, Echo>();
  readonly pages: ModelPage[];
  private readonly first: ModelPage;
  private texts = 0;

  constructor(isNew: boolean) {
    if (!isNew) this.service.put({ title: 'Begin', body: 'Once', note: null });
    this.first = new ModelPage(this.service, this.kept);
    this.pages = [this.first];
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'wait') return pass(step.for);
    if (step.do === 'network') return void this.service.fates.push(step.fate);
    const own = this.pageAt(step.page);
    if ('field' in step) return this.write(step.do, own, step.field);
    if (step.do === 'decide for mine' || step.do === 'decide for theirs') own.decide(step.do === 'decide for theirs');
    else if (step.do === 'kill') await pass(250).then(() => own.kill());
    else void own.editing[step.do]().catch(() => undefined);
  }

  /** Until nothing is under way, with a network that works; each clash is decided for what was typed here. */
  async end(): Promise<void> {
    this.service.fates = [];
    for (let round = 0; round < 12; round += 1) {
      await pass(20_000);
      for (const own of this.pages) own.decide(false);
      if (this.service.record === null) this.first.type('title', 'At last');
    }
    await pass(20_000);
  }

  private write(kind: string, own: ModelPage, name: Field): void {
    const text = `text ${(this.texts += 1)}`;
    if (kind === 'type') own.type(name, text);
    else if (kind === 'colleague changes the copy') this.service.patch({ [name]: text });
    else if (this.service.record !== null) this.service.put({ [name]: text });
  }

  /** There is a second page as soon as there is a record. */
  private pageAt(index: number): ModelPage {
    if (index === 1 && this.pages.length === 1 && this.service.record) {
      this.pages.push(new ModelPage(this.service, this.kept));
    }
    return this.pages[index] ?? this.first;
  }
}

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds).then(() => undefined);

describe('What is typed', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is never lost, nor written over anything unseen, whatever others, the network and the browser do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), steps, async (isNew, all) => {
        const play = new Play(isNew);
        for (const step of all) {
          await play.take(step);
          expect(play.pages.flatMap((own) => own.missing())).toEqual([]);
        }
        await play.end();
        expect(play.service.overwritten).toEqual([]);
        expect(play.service.made).toBe(1);
        expect(play.pages.flatMap((own) => own.missing())).toEqual([]);
        expect(play.pages.map(({ editing }) => editing.isBusy)).toEqual(play.pages.map(() => false));
        expect([...play.kept]).toEqual([]);
        jest.clearAllTimers();
      }),
      { numRuns: 300 },
    );
  });
});
