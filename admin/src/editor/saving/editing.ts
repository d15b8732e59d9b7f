import { CmsError } from '@content-service/client';
import type { Fault } from '../../model.js';
import { slugOf } from '../fields/slug.js';
import { SaveQueue, type SaveState, type Values } from './save-queue.js';
import * as copies from './working-copy.js';
import type { Opened } from './working-copy.js';

/** What an editor shows. */
export interface EditingView {
  /** `null`: it is new, and not saved yet. */
  readonly opened: Opened | null;
  /** What was typed since it was opened. */
  readonly typed: Values;
  readonly state: SaveState;
  /** Why it is not saved, where it is not. */
  readonly error: unknown;
}

/** One record while it is edited: outside of React, which may draw it anew at any time. */
export class Editing {
  private static made = 0;
  /** Differs from that of any other one. */
  readonly key = `editing-${(Editing.made += 1)}`;
  private view: EditingView;
  private readonly readers = new Set<() => void>();
  private readonly queue = new SaveQueue({
    save: (values) => this.write(values),
    onState: (state, error) => this.show({ state, error }),
  });
  /** The slug follows the title until it is typed, or the record is left. */
  private isSlugMade: boolean;
  private becoming: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly type: string,
    opened: Opened | null,
  ) {
    this.view = { opened, typed: {}, state: 'clean', error: null };
    this.isSlugMade = opened === null;
  }

  /** Whether this is the record at an address. @param id `new`, or a number */
  isAt(type: string, id: string): boolean {
    const own = this.view.opened?.record.id;
    return type === this.type && id === (own === undefined ? 'new' : String(own));
  }

  readonly read = (): EditingView => this.view;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  /** What stands in an input. */
  valueOf(name: string): unknown {
    return name in this.view.typed ? this.view.typed[name] : this.view.opened?.current[name];
  }

  /** The same of a field that is a text. */
  textOf(name: string): string {
    const value = this.valueOf(name);
    return typeof value === 'string' ? value : '';
  }

  change(name: string, value: unknown): void {
    if (name === 'slug') this.isSlugMade = false;
    this.show({ typed: { ...this.view.typed, [name]: value } });
    this.queue.add({ [name]: value, ...this.madeSlug(name, value) });
  }

  /** Saves now. Into a draft itself, with one revision, and of anything else into what is not public yet. */
  readonly save = async (): Promise<boolean> => {
    if (!(await this.queue.flush())) return false;
    const isDraft = this.view.opened?.record.status === 'draft';
    return isDraft ? this.become((opened) => copies.apply(opened)) : true;
  };

  get isBusy(): boolean {
    return this.queue.isBusy;
  }

  /** Saves, and makes public what is written. */
  async publish(): Promise<boolean> {
    if (!(await this.queue.flush())) return false;
    // From now on it has readers, who know its address.
    this.isSlugMade = false;
    return this.become((opened) => copies.publish(opened));
  }

  async unpublish(): Promise<boolean> {
    if (!(await this.queue.flush())) return false;
    return this.become((opened) => copies.unpublish(opened));
  }

  async discard(): Promise<boolean> {
    this.queue.clear();
    this.show({ typed: {} });
    return this.become((opened) => copies.discard(opened));
  }

  /** After a conflict: what was typed here goes over what someone else has written. */
  async keepMine(): Promise<void> {
    await this.reopen();
    await this.queue.flush();
  }

  /** After a conflict: what someone else has written goes over what was typed here. */
  async takeTheirs(): Promise<void> {
    this.queue.clear();
    await this.reopen();
    this.show({ typed: {} });
  }

  /** Faults of values, of the last request and of the working copy. */
  faults(): readonly Fault[] {
    const { error, opened } = this.view;
    return [...faultsOf(error), ...(opened?.draft?.faults ?? [])];
  }

  private async become(work: (opened: Opened) => Promise<Opened>): Promise<boolean> {
    const { opened } = this.view;
    if (!opened) return false;
    const becoming = work(opened);
    // What is typed meanwhile is written into what comes of it.
    this.becoming = becoming.catch(() => undefined);
    try {
      this.show({ opened: await becoming });
      return true;
    } catch (error) {
      // Everything is saved; what is wrong with it is shown at its fields.
      this.show({ error });
      throw error;
    }
  }

  private async reopen(): Promise<void> {
    const { opened } = this.view;
    if (opened) this.show({ opened: await copies.open(this.type, String(opened.record.id)) });
  }

  /** The slug that goes along with a title. */
  private madeSlug(name: string, title: unknown): Values {
    const slug = name === 'title' && this.isSlugMade && this.view.opened ? slugOf(String(title)) : '';
    return slug === '' ? {} : { slug };
  }

  private async write(values: Values): Promise<void> {
    await this.becoming;
    const { opened } = this.view;
    if (opened) return this.show({ opened: await copies.save(opened, values) });
    const title = this.valueOf('title');
    // Without one there is no record to save into; it waits for the next key.
    if (typeof title !== 'string' || title.trim() === '') throw new NoTitleError();
    this.show({ opened: await copies.create(this.type, { ...values, title }) });
  }

  private show(change: Partial<EditingView>): void {
    this.view = { ...this.view, ...change };
    for (const reader of this.readers) reader();
  }
}

/** A new record cannot be saved before it has a title. */
export class NoTitleError extends Error {}

function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof CmsError)) return [];
  if (error.code === 'slug_taken') return [{ field: 'slug', rule: 'taken', message: error.message }];
  return error.details.flatMap(({ field, rule = '', message = '' }) =>
    field === undefined ? [] : [{ field, rule, message }],
  );
}
