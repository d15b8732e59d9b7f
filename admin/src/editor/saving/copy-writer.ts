import { CmsError } from '@content-service/client';
import { isPassing, isSignedOut } from '../../common/failure.js';
import { randomKey } from '../../common/random-key.js';
import type { Creation } from './echo.js';
import { ClashError, type Values } from './save-queue.js';
import type { Copies, Opened } from './working-copy.js';

/** Tries to save behind colleagues who save at the same time. */
const MOST_TRIES = 5;
/** Codes that say that the record is not what this page takes it for. */
const BEHIND = new Set(['version_conflict', 'draft_not_found', 'draft_conflict']);

/** A new record cannot be saved before it has a title. */
export class NoTitleError extends Error {}

/** The surroundings of a writer. */
interface CopyWriterOptions {
  readonly type: string;
  readonly copies: Copies;
  readonly onOpened: (opened: Opened) => void;
}

/** Another person's value of a field. */
export interface Rival {
  /** The value before. */
  readonly base: unknown;
  readonly theirs: unknown;
  /** True if it was changed in the record itself, and not in the working copy. */
  readonly isInRecord: boolean;
}

/** Writes one record by its working copy: nothing of someone else's is written over unseen, nothing is made twice. */
export class CopyWriter {
  /** A creation that was sent, and not answered yet. */
  creation: Creation | null = null;
  /** Values of fields when their present changes began. */
  private readonly bases = new Map<string, unknown>();
  /** Values that were sent without an answer: found in the service, they are our own. */
  private lost: Values = {};
  /** Values in the record itself when a person decided about them. */
  private readonly settled = new Map<string, unknown>();
  private becoming: Promise<unknown> = Promise.resolve();
  /** One key for all tries of a step with the same text. */
  private readonly keys = new WeakMap<Opened, string>();

  /** @param opened `null`: the record is new */
  constructor(
    public opened: Opened | null,
    private readonly options: CopyWriterOptions,
  ) {}

  /** Takes note of what a field holds before it is changed. @param base of a change that began earlier */
  begin(field: string, base: unknown = this.opened?.current[field] ?? null): void {
    this.bases.set(field, base);
  }

  /** Values of fields when their present changes began. */
  basesOf(fields: readonly string[]): Values {
    return Object.fromEntries(fields.map((field) => [field, this.bases.get(field) ?? null]));
  }

  /**
   * Saves values.
   *
   * @throws {ClashError} someone else has changed some of the fields since
   * @throws {NoTitleError} the record is new and has none
   * @throws {CmsError}
   */
  async write(values: Values): Promise<void> {
    await this.becoming;
    if (this.opened === null) return this.create(values);
    for (let tries = 1; ; tries += 1) {
      const clashing = Object.keys(values).filter((name) => this.rivalOf(name, values[name]) !== null);
      if (clashing.length > 0) throw new ClashError(clashing);
      try {
        return this.wrote(values, await this.options.copies.save(this.opened, values));
      } catch (error) {
        if (isPassing(error)) this.lost = { ...this.lost, ...values };
        if (!isBehind(error) || tries === MOST_TRIES) throw error;
        await this.reopen();
      }
    }
  }

  /** Another person's change of a field since it was read here; `null`: nothing that differs. */
  rivalOf(field: string, mine: unknown): Rival | null {
    return this.rivalInCopy(field, mine) ?? this.rivalInRecord(field);
  }

  /** Takes note that someone has decided about the rival of a field. */
  settle(field: string, mine: unknown): void {
    if (this.rivalInCopy(field, mine) === null) this.settled.set(field, this.rivalInRecord(field)?.theirs);
    this.begin(field);
  }

  /** Does what changes the record itself. What is written meanwhile waits for what comes of it. */
  async become(work: (opened: Opened, key: string) => Promise<Opened>): Promise<boolean> {
    const { opened } = this;
    if (!opened) return false;
    const key = this.keys.get(opened) ?? randomKey();
    this.keys.set(opened, key);
    const becoming = work(opened, key);
    this.becoming = becoming.catch(() => undefined);
    try {
      this.show(await becoming);
      return true;
    } catch (error) {
      // What others have written is shown, so that the next try is a decision.
      if (isBehind(error)) await this.reopen();
      throw error;
    }
  }

  /** Reads what the record and its working copy are by now. */
  async reopen(): Promise<void> {
    const { type, copies } = this.options;
    const { opened } = this;
    if (!opened) return;
    const present = await copies.open(type, String(opened.record.id));
    // What was written meanwhile is newer than what was read.
    if (this.opened === opened) this.show(present);
  }

  private rivalInCopy(field: string, mine: unknown): Rival | null {
    if (!this.bases.has(field)) return null;
    const [base, theirs] = [this.bases.get(field), this.opened?.current[field]];
    const isOurs = field in this.lost && isAlike(theirs, this.lost[field]);
    return isOurs || isSame(theirs, base) || isAlike(theirs, mine) ? null : { base, theirs, isInRecord: false };
  }

  private rivalInRecord(field: string): Rival | null {
    const conflict = this.opened?.draft?.conflicts?.find((one) => one.field === field);
    const isSettled = conflict && this.settled.has(field) && isSame(this.settled.get(field), conflict.live);
    return conflict && !isSettled ? { base: conflict.base, theirs: conflict.live, isInRecord: true } : null;
  }

  private async create(values: Values): Promise<void> {
    const { title } = values;
    if (this.creation === null) {
      if (typeof title !== 'string' || title.trim() === '') throw new NoTitleError();
      this.creation = { key: randomKey(), body: values };
    }
    const { key, body } = this.creation;
    try {
      this.wrote(body, await this.options.copies.create(this.options.type, body, key));
    } catch (error) {
      if (isRefusal(error)) this.creation = null;
      throw error;
    }
    this.creation = null;
    const rest = Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, body[name])));
    if (Object.keys(rest).length > 0) await this.write(rest);
  }

  private wrote(values: Values, opened: Opened): void {
    this.lost = {};
    this.show(opened);
    for (const name of Object.keys(values)) {
      this.begin(name);
      this.settled.delete(name);
    }
  }

  private show(opened: Opened): void {
    this.opened = opened;
    this.options.onOpened(opened);
  }
}

/** Tells whether two values are the same as JSON, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one === other;
  return canonical(one) === canonical(other);
}

/** Tells whether the service may have made one of the other: it cuts blanks off, and composes letters. */
export function isAlike(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => (typeof value === 'string' ? value.trim().normalize() : (value ?? null));
  return isSame(plain(one), plain(other));
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Tells whether the service itself has refused to carry a request out: the answer of a gateway does not say what became of it. */
function isRefusal(error: unknown): boolean {
  return error instanceof CmsError && error.code !== 'unreadable' && !isPassing(error) && !isSignedOut(error);
}

/** Tells whether the record is not what this page takes it for. */
export function isBehind(error: unknown): boolean {
  return error instanceof CmsError && BEHIND.has(error.code);
}
