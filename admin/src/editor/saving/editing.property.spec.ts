import { CmsError } from '@content-service/client';
import fc from 'fast-check';
import type { ContentRecord, Draft } from '../../model.js';
import type { Echo, EchoStore, KeptEcho } from './echo.js';
import { Editing } from './editing.js';
import type { Values } from './save-queue.js';
import type { Copies, Opened } from './working-copy.js';

type Field = 'title' | 'body' | 'note';
const FIELDS = ['title', 'body', 'note'] as const;
/** Milliseconds that a request takes each way. */
const WAY = 40;

/** What becomes of a request. */
type Fate = 'arrives' | 'is lost' | 'loses its answer' | 'meets a full service';

/** What of the service an editor needs, with a log of all that was ever stored. */
class ModelService {
  record: ContentRecord | null = null;
  made = 0;
  fates: Fate[] = [];
  /** Texts that fields have ever held. */
  readonly stored = new Set<unknown>();
  /** Texts that were written over by someone who had never seen them. */
  readonly overwritten: unknown[] = [];
  private copy: { version: number; changes: Record<string, unknown>; bases: Record<string, unknown> } | null = null;
  private readonly answers = new Map<string, Opened>();
  private version = 100;

  /** The service for one page. @param seen texts that have been on its screen */
  copiesFor(seen: ReadonlySet<unknown>, life: Life): Copies {
    const sent = (work: () => Opened) => this.sent(work, life);
    return {
      open: () => sent(() => this.opened()),
      create: (_, values, key) => sent(() => this.once(key, () => this.create(values))),
      save: (opened, values) => sent(() => this.save(opened, values, seen)),
      apply: (opened, key) => sent(() => this.once(`apply ${key}`, () => this.fold(opened, 'draft'))),
      publish: (opened, key) => sent(() => this.once(`publish ${key}`, () => this.fold(opened, 'published'))),
      unpublish: () => sent(() => this.put({ status: 'draft' })),
      discard: () => sent(() => this.opened()),
    };
  }

  /** Someone who looks before they write changes the record itself. */
  put(values: Values): Opened {
    if (this.record === null) return this.create(values);
    this.record = { ...this.record, ...values, version: this.record.version + 1 };
    this.log(values);
    return this.opened();
  }

  /** Someone who looks before they write changes the working copy. */
  patch(values: Values): void {
    if (this.record === null) return;
    this.save(
      this.opened(),
      values,
      new Set([...Object.values(this.record), ...Object.values(this.copy?.changes ?? {})]),
    );
  }

  opened(): Opened {
    if (this.record === null) throw failure(404, 'record_not_found');
    const { record, copy } = this;
    const names = Object.keys(copy?.changes ?? {});
    const conflicts = names.flatMap((field) => {
      const [base, live] = [copy?.bases[field], record[field]];
      return base === live || live === copy?.changes[field] ? [] : [{ field, base, live }];
    });
    const draft: Draft | null = copy && { version: copy.version, changed: names, conflicts };
    return { record, current: { ...record, ...copy?.changes }, draft };
  }

  private create(values: Values): Opened {
    this.made += 1;
    const rest = { id: 7, type: 'post', slug: 's', status: 'draft', url: null, version: 1, published_at: null };
    const times = { created_at: '', updated_at: '', updated_by: null };
    this.record = { title: '', ...rest, ...times, ...values } as ContentRecord;
    this.log(values);
    return this.opened();
  }

  private save({ record, draft }: Opened, values: Values, seen: ReadonlySet<unknown>): Opened {
    const known = draft?.version ?? record.version;
    const own = this.record as ContentRecord;
    if (known !== (this.copy?.version ?? own.version) || record.version !== own.version) {
      throw failure(412, 'version_conflict');
    }
    const [changes, bases] = [{ ...this.copy?.changes }, { ...this.copy?.bases }];
    for (const [name, value] of Object.entries(values)) {
      const isSettled = name in changes && bases[name] === own[name];
      this.replace([name in changes ? changes[name] : own[name], isSettled ? null : own[name]], value, seen);
      [changes[name], bases[name]] = [value, own[name]];
      if (value === own[name]) delete changes[name];
    }
    this.copy = Object.keys(changes).length === 0 ? null : { version: (this.version += 1), changes, bases };
    this.log(values);
    return this.opened();
  }

  private fold({ draft }: Opened, status: string): Opened {
    if ((draft?.version ?? null) !== (this.copy?.version ?? null)) throw failure(412, 'version_conflict');
    if (this.opened().draft?.conflicts?.length) throw failure(409, 'draft_conflict');
    const record = this.record as ContentRecord;
    this.record = { ...record, ...this.copy?.changes, status, version: record.version + 1 } as ContentRecord;
    this.copy = null;
    return this.opened();
  }

  private replace(former: readonly unknown[], value: unknown, seen: ReadonlySet<unknown>): void {
    this.overwritten.push(...former.filter((text) => text !== value && !isEmpty(text) && !seen.has(text)));
  }

  private once(key: string, work: () => Opened): Opened {
    const given = this.answers.get(key) ?? work();
    this.answers.set(key, given);
    return given;
  }

  private log(values: Values): void {
    for (const value of Object.values(values)) this.stored.add(value);
  }

  private async sent(work: () => Opened, life: Life): Promise<Opened> {
    const fate = life.isOver ? 'is lost' : (this.fates.shift() ?? 'arrives');
    await later(WAY);
    if (fate === 'is lost') throw failure(0, 'unreachable');
    if (fate === 'meets a full service') throw failure(503, 'overloaded');
    const answer = work();
    await later(WAY);
    if (fate === 'loses its answer' || life.isOver) throw failure(0, 'unreachable');
    return answer;
  }
}

/** Whether a page has ended: what it has sent may still arrive, and it sends and keeps nothing more. */
interface Life {
  isOver: boolean;
}

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
    this.editing = this.open([]);
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
    this.editing = this.open(echo ? [{ ...echo, key }] : []);
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

  private open(found: readonly KeptEcho[]): Editing {
    const { life, kept } = this;
    const echoes: EchoStore = {
      keep: async (key, echo) => void (life.isOver || kept.set(key, { ...echo, tab: '', at: 0 })),
      forget: async (keys) => keys.forEach((key) => life.isOver || kept.delete(key)),
    };
    const isNew = this.service.record === null || found.some(({ id }) => id === null);
    const opened = isNew ? null : this.service.opened();
    const copies = this.service.copiesFor(this.seen, life);
    const editing = new Editing(opened, { type: 'post', user: 1, copies, echoes }, found);
    this.editing = editing;
    editing.subscribe(() => life.isOver || this.look());
    this.look();
    return editing;
  }
}

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const failure = (status: number, code: string) => new CmsError({ status, code, message: code });
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

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
  readonly pages: ModelPage[] = [];
  private texts = 0;

  constructor(isNew: boolean) {
    if (!isNew) this.service.put({ title: 'Begin', body: 'Once', note: null });
    this.pages.push(new ModelPage(this.service, this.kept));
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

  /** Until nothing is under way, with a network that works; whoever is asked keeps their own. */
  async end(): Promise<void> {
    this.service.fates = [];
    for (let round = 0; round < 12; round += 1) {
      await pass(20_000);
      for (const own of this.pages) own.decide(false);
      if (this.service.record === null) this.pages[0]?.type('title', 'At last');
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
    return this.pages[index] ?? (this.pages[0] as ModelPage);
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
      { numRuns: 3000 },
    );
  });
});
