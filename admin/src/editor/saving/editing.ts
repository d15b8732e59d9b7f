import { randomKey } from '../../common/random-key.js';
import type { Fault } from '../../model.js';
import { slugOf } from '../fields/slug.js';
import { isPassing } from '../../common/failure.js';
import { CopyWriter, isAlike, isBehind, type Rival } from './copy-writer.js';
import type { EchoStore, KeptEcho } from './echo.js';
import { redrawing, stillTyped, valueIn, type EditingView } from './editing-view.js';
import { givenUp, only, writtenIn, type GivenUp } from './giving-up.js';
import { KeptText } from './kept-text.js';
import { OfferedTexts } from './offered-texts.js';
import { faultsOf, onceEach, partOf } from './parts.js';
import { SaveQueue, type SaveState, type Values } from './save-queue.js';
import type { Copies, Opened } from './working-copy.js';

/** A field that someone else has changed too. */
export interface Rivalry extends Rival {
  readonly field: string;
  readonly mine: unknown;
}

/** Tries to keep a revision of a draft behind colleagues who write it at the same time. */
const MOST_TRIES = 3;

/** The surroundings of an editor. */
export interface EditingOptions {
  readonly type: string;
  /** Id of who writes. */
  readonly user: number;
  readonly copies: Copies;
  readonly echoes: EchoStore;
}

/** One record while it is edited: outside of React, which may draw it anew at any time. */
export class Editing {
  /** Differs from that of any other one. */
  readonly key = randomKey();
  private view: EditingView;
  private readonly readers = new Set<() => void>();
  private readonly queue = new SaveQueue({
    save: (values) => this.write(values),
    onState: (state, error) => this.turn(state, error),
  });
  private readonly writer: CopyWriter;
  private readonly kept: KeptText;
  /** Keeps what is made of both sides of a clash, until it is used or given up. */
  private readonly keptMerges: KeptText;
  private readonly offered: OfferedTexts;
  private merges: Values = {};
  /** Values that were written from here and are not public yet. */
  private own: Values = {};
  /** The slug follows the title until it is typed, or the record is left. */
  private isSlugMade: boolean;
  /** The state of the sent values, whatever is held. */
  private sent: SaveState = 'clean';
  /** Faults that the service has named for the fields that it refused. */
  private refusals: readonly Fault[] = [];

  /** @param opened `null`: the record is new */
  constructor(
    opened: Opened | null,
    private readonly options: EditingOptions,
  ) {
    const { type, user, copies, echoes } = options;
    const rest = { typed: {}, held: {}, error: null, savedAt: null, replaced: {}, isKept: true };
    this.view = { opened, state: 'clean', found: [], ...rest };
    this.isSlugMade = opened === null;
    this.writer = new CopyWriter(opened, { type, copies, onOpened: (next) => this.reopened(next) });
    const unsaved = () => {
      const id = this.writer.opened?.record.id ?? null;
      const values = this.queue.unsaved;
      const bases = this.writer.basesOf(Object.keys(values));
      return { user, type, id, values, bases, held: this.view.held, creation: this.writer.creation };
    };
    const onFailed = () => this.show({ isKept: false });
    this.kept = new KeptText(echoes, this.key, unsaved, onFailed);
    const merges = () => ({ ...unsaved(), values: this.merges, held: {}, creation: null });
    this.keptMerges = new KeptText(echoes, `${this.key} merges`, merges, onFailed);
    const of = () => ({ user, type, opened: this.view.opened });
    this.offered = new OfferedTexts({ store: echoes, of, onChange: (found) => this.show({ found }) });
  }

  /** Tells whether this is the record at an address. @param id `new`, or a number */
  isAt(type: string, id: string): boolean {
    const own = this.view.opened?.record.id;
    return type === this.options.type && id === (own === undefined ? 'new' : String(own));
  }

  /** Tells whether the other one writes the same record for the same user. */
  hasSameRecord(other: Editing): boolean {
    const { type, user } = other.options;
    return this.isAt(type, String(other.view.opened?.record.id ?? 'new')) && this.isOf(user);
  }

  /** Tells whether it is of someone. */
  isOf(user: number): boolean {
    return user === this.options.user;
  }

  readonly read = (): EditingView => this.view;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  /** The content of an input. */
  valueOf(name: string): unknown {
    return valueIn(this.view, name);
  }

  /** The same of a field that is a text. */
  textOf(name: string): string {
    const value = this.valueOf(name);
    return typeof value === 'string' ? value : '';
  }

  /** @param bases what fields held when the change began, if that was earlier */
  change(name: string, value: unknown, bases: Values = {}): void {
    if (name === 'slug') this.isSlugMade = false;
    const values = { [name]: value, ...this.madeSlug(name, value) };
    const begun = Object.keys(values).filter((field) => !(field in this.queue.unsaved));
    for (const field of begun) this.writer.begin(field, bases[field]);
    const { [name]: _, ...held } = this.view.held;
    this.show({ typed: { ...this.view.typed, ...values }, held });
    this.queue.add(values);
    this.kept.changed();
  }

  /** Takes what was typed and can be saved in no way: it stays in its input and on the device, and is never sent. */
  hold(name: string, input: unknown, fault: string): void {
    this.show({ held: { ...this.view.held, [name]: { input, fault } } });
    this.turn(this.sent, this.view.error);
  }

  /** Saves now. Into a draft itself, with one revision, and of anything else into what is not public yet. */
  readonly save = async (): Promise<boolean> => {
    if (!(await this.flush())) return false;
    for (let tries = 1; this.view.opened?.record.status === 'draft'; tries += 1) {
      try {
        return await this.become((opened, key) => this.options.copies.apply(opened, key));
      } catch (error) {
        // Others have changed the record, and it may be public by now.
        if (!isBehind(error) || tries === MOST_TRIES) throw error;
      }
    }
    return true;
  };

  /** Saves what was typed, as a working copy. @returns whether that is all that stands in the inputs */
  readonly flush = async (): Promise<boolean> => (await this.queue.flush()) && !this.isHolding;

  /** Brings what the device keeps of it up to date. */
  readonly keep = (): Promise<unknown> => this.kept.write();

  /** True if someone looks at it. */
  get isOpen(): boolean {
    return this.readers.size > 0;
  }

  /** True if something is not known to be saved. */
  get isBusy(): boolean {
    return Object.keys(this.queue.unsaved).length > 0 || this.isHolding || this.writer.creation !== null;
  }

  private get isHolding(): boolean {
    return Object.keys(this.view.held).length > 0;
  }

  /** Saves, and makes public what is written. */
  async publish(): Promise<boolean> {
    if (!(await this.flush())) return false;
    // From now on it has readers, who know its address.
    this.isSlugMade = false;
    return this.become((opened, key) => this.options.copies.publish(opened, key));
  }

  async unpublish(): Promise<boolean> {
    if (!(await this.flush())) return false;
    return this.become((opened) => this.options.copies.unpublish(opened));
  }

  /** Gives up what is written and not public. @returns that */
  async discard(): Promise<GivenUp> {
    const { held, opened } = this.view;
    const { undecided, unsaved: typed } = this.queue;
    const bases = this.writer.basesOf(Object.keys(typed));
    const written = writtenIn(opened);
    const unsaved = await this.queue.empty();
    this.own = {};
    try {
      await this.become((present) => this.options.copies.discard(present));
    } catch (error) {
      // Nothing of anyone is given up: what a colleague has written clashes with what was typed. It may be gone all the same.
      this.typeAgain(isPassing(error) ? { ...written, ...unsaved } : unsaved, held, bases);
      throw error;
    }
    await this.startAnew(held);
    return givenUp({ written, unsaved, undecided, held, instead: { ...this.view.opened?.current } });
  }

  /** Types values anew, unless something else was typed since: then they are offered beside it. */
  writeAgain({ values, held, instead, clashing }: GivenUp): void {
    const isUntouched = (name: string) => isAlike(this.valueOf(name), instead[name]);
    const since = only(values, (name) => !isUntouched(name));
    this.typeAgain(only(values, isUntouched), held);
    void this.offered.offerOwn({ ...since, ...clashing });
  }

  /** Fields that someone else has changed too: in the working copy, or in the record itself. */
  rivals(): readonly Rivalry[] {
    const conflicts = this.view.opened?.draft?.conflicts ?? [];
    const fields = new Set([...this.queue.undecided, ...conflicts.map(({ field }) => field)]);
    return [...fields].flatMap((field) => {
      const mine = this.valueOf(field);
      const rival = this.writer.rivalOf(field, mine);
      return rival === null ? [] : [{ field, mine, ...rival }];
    });
  }

  /** Ends the rivalry about a field by a value: one of both, or what was made of them. */
  decide(field: string, value: unknown): void {
    this.writer.settle(field, this.valueOf(field));
    const { [field]: _, ...held } = this.view.held;
    this.show({ typed: { ...this.view.typed, [field]: value }, held });
    this.replace({}, [field]);
    this.queue.decide({ [field]: value });
    this.kept.changed();
  }

  /** Keeps on the device what is made of both sides of a clash. @param text `null`: it is used, or given up */
  keepMerge(field: string, text: string | null): void {
    this.merges = text === null ? {} : { [field]: text };
    this.keptMerges.changed();
  }

  /** Offers what a page that is gone has kept, if it is more than what is saved. */
  offer(echo: KeptEcho): void {
    this.offered.offer(echo);
  }

  /**
   * Types again what a page that is gone has kept. What others have written since clashes with it, and so does what was
   * typed here since and is saved; what is not saved yet stays, and the rest of the echo with it.
   */
  async recover(echo: KeptEcho): Promise<void> {
    await this.flush();
    const all = Object.entries({ ...echo.creation?.body, ...echo.values });
    const { unsaved } = this.queue;
    const isNew = this.view.opened === null;
    const rest = all.filter(([name]) => name in unsaved);
    // Another new record: it is offered again beside the next one.
    if (isNew && this.isBusy) return;
    this.writer.creation = isNew ? echo.creation : null;
    const values = Object.fromEntries(all.filter(([name]) => !(name in unsaved)));
    this.typeAgain(values, echo.held ?? {}, echo.bases);
    await this.kept.write();
    if (rest.length === 0) await this.forget(echo);
    else this.offered.shorten(echo, Object.fromEntries(rest));
  }

  /** Gives up what a page that is gone has kept. */
  forget(echo: KeptEcho): Promise<void> {
    return this.offered.forget(echo);
  }

  /** Looks what others have written meanwhile, if nothing waits to be saved. */
  async refresh(): Promise<void> {
    if (!this.isBusy) await this.writer.reopen();
  }

  /** Faults of what is held, of what the service refused, of the last request and of the working copy, each once. */
  faults(): readonly Fault[] {
    const { error, opened, held } = this.view;
    const own = Object.entries(held).map(([field, { fault }]) => ({ field, rule: 'held', message: fault }));
    const refused = this.refusals.filter(({ field }) => this.queue.isRefused(partOf(field)));
    const others = [...refused, ...faultsOf(error), ...(opened?.draft?.faults ?? [])];
    return onceEach([...own, ...others.filter(({ field }) => !(partOf(field) in held))]);
  }

  /** @param bases what the fields held when they were changed first */
  private typeAgain(values: Values, held: EditingView['held'], bases: Values = {}): void {
    for (const [name, value] of Object.entries(values)) this.change(name, value, bases);
    for (const [name, { input, fault }] of Object.entries(held)) this.hold(name, input, fault);
    this.replace({}, Object.keys({ ...values, ...held }));
  }

  /** Shows the record as it is, but for what was typed meanwhile. @param held what stood in inputs */
  private async startAnew(held: EditingView['held']): Promise<void> {
    const since = Object.keys(this.queue.unsaved);
    for (const name of since) this.writer.begin(name);
    const typed = Object.fromEntries(since.map((name) => [name, this.view.typed[name]]));
    this.replace({ typed, held: {} }, Object.keys(held));
    this.turn(this.sent, null);
    await this.kept.write();
  }

  private async write(values: Values): Promise<void> {
    this.own = { ...this.own, ...values };
    try {
      await this.writer.write(values);
    } catch (error) {
      const gone = faultsOf(error)
        .filter(({ rule }) => rule === 'unknown')
        .map(({ field }) => partOf(field));
      const rest = only(values, (name) => !gone.includes(name));
      if (gone.length === 0) throw error;
      // The type has lost them meanwhile: they can be copied, and do not hold up the others.
      await this.offered.offerOwn(only(values, (name) => gone.includes(name)));
      if (Object.keys(rest).length > 0) await this.write(rest);
    }
  }

  private async become(work: (opened: Opened, key: string) => Promise<Opened>): Promise<boolean> {
    try {
      return await this.writer.become(work);
    } catch (error) {
      // Everything is saved; what is wrong with it is shown at its fields.
      this.show({ error });
      throw error;
    }
  }

  private turn(state: SaveState, error: unknown): void {
    const isSaved = state === 'clean' && this.sent === 'saving';
    this.sent = state;
    if (state === 'refused') this.refusals = faultsOf(error);
    this.show({ state: this.withHeld(state), error, ...(isSaved && { savedAt: new Date() }) });
    if (state !== 'saving' && this.view.opened) this.replace({ typed: this.typedBeside(this.view.opened) });
    // At once if all is saved: a page that opens next is not offered what is known.
    if (state === 'clean') void this.kept.write();
    else this.kept.changed();
  }

  private withHeld(state: SaveState): SaveState {
    return state === 'clean' && this.isHolding ? 'refused' : state;
  }

  /** Shows what the service has by now; what is typed and not saved stays as it is. */
  private reopened(opened: Opened): void {
    const lost = this.givenUpByOthers(opened);
    if (opened.draft === null) this.own = {};
    // A working copy takes more than a new record does.
    if (this.view.opened === null) this.queue.retry();
    this.replace({ opened, typed: this.typedBeside(opened) });
    const { unsaved } = this.queue;
    // What others have taken back again needs no decision any more.
    for (const field of this.queue.undecided) {
      if (this.writer.rivalOf(field, unsaved[field]) === null) this.queue.decide({ [field]: unsaved[field] });
    }
    void this.offered.offerOwn(lost);
  }

  /** Values that were written from here into a working copy that is gone, while the record is as it was. */
  private givenUpByOthers({ draft, record }: Opened): Values {
    const before = this.view.opened;
    if (draft !== null || before?.record.version !== record.version) return {};
    const written = writtenIn(before);
    return only(this.own, (name) => name in written && isAlike(written[name], this.own[name]));
  }

  private typedBeside(opened: Opened): Values {
    return stillTyped(this.view.typed, opened, this.queue.unsaved);
  }

  private replace(change: Partial<EditingView>, fields: readonly string[] = []): void {
    this.show(redrawing(this.view, change, fields));
  }

  /** The slug that goes along with a title. */
  private madeSlug(name: string, title: unknown): Values {
    const slug = name === 'title' && this.isSlugMade && this.view.opened ? slugOf(String(title)) : '';
    return slug === '' ? {} : { slug };
  }

  private show(change: Partial<EditingView>): void {
    this.view = { ...this.view, ...change };
    for (const reader of this.readers) reader();
  }
}
