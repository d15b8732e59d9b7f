import { CmsError } from '@content-service/client';
import { isPassing, isSignedOut } from '../../common/failure.js';
import { faultsOf, partOf } from './parts.js';

/** Values of fields by their names, as they are sent. */
export type Values = Readonly<Record<string, unknown>>;

/** The place of the typed values. */
export type SaveState = 'clean' | 'waiting' | 'saving' | 'refused' | 'offline' | 'conflict' | 'signedOut' | 'failed';

/** Fields that someone else has changed too: each waits for a decision. */
export class ClashError extends Error {
  constructor(readonly fields: readonly string[]) {
    super('Someone else has changed the same fields.');
  }
}

/** Functions of a queue: for saving, and for reporting. */
interface SaveQueueOptions {
  readonly save: (values: Values) => Promise<void>;
  readonly onState: (state: SaveState, error: unknown) => void;
}

/** Milliseconds without a key until what was typed is sent. */
const PAUSE = 900;
/** Milliseconds until it is sent again to a service that did not answer: the first time, and at most. */
const AGAIN = { first: 2_000, most: 15_000 };

/**
 * Saves what is typed, one request at a time and the newest values last. Nothing that failed is dropped: fields that are
 * refused wait for their next change, and fields that someone else has changed too for a decision; they do not hold up
 * the others.
 */
export class SaveQueue {
  private pending: Values = {};
  private sending: Values = {};
  private refused: Values = {};
  private clashing: Values = {};
  /** The reason why fields are refused. */
  private refusal: unknown = null;
  private running: Promise<boolean> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private again = AGAIN.first;

  constructor(private readonly options: SaveQueueOptions) {}

  /** Takes what was typed. */
  add(values: Values): void {
    const names = Object.keys(values);
    const undecided = names.filter((name) => name in this.clashing);
    this.clashing = { ...this.clashing, ...only(values, undecided) };
    this.pending = { ...this.pending, ...without(values, undecided) };
    this.refused = without(this.refused, names);
    if (this.again > AGAIN.first) return; // The service is away, and the next try is planned.
    this.options.onState(this.hasPending || undecided.length === 0 ? 'waiting' : 'conflict', null);
    this.flushIn(PAUSE);
  }

  /** Takes the value that was decided on after a clash. */
  decide(values: Values): void {
    this.clashing = without(this.clashing, Object.keys(values));
    this.add(values);
  }

  /** Tells whether a field is put aside until its next change. */
  isRefused(name: string): boolean {
    return name in this.refused;
  }

  /** Has another try with what was refused. */
  retry(): void {
    this.pending = { ...this.refused, ...this.pending };
    this.refused = {};
  }

  /** Sends what is waiting now. @returns whether everything is saved */
  flush(): Promise<boolean> {
    clearTimeout(this.timer);
    this.running ??= this.drained().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Values that are not known to be saved. */
  get unsaved(): Values {
    return { ...this.refused, ...this.clashing, ...this.sending, ...this.pending };
  }

  /** Fields that wait for a decision. */
  get undecided(): readonly string[] {
    return Object.keys(this.clashing);
  }

  /** Waits for the request that is under way, and forgets what is not saved. @returns that */
  async empty(): Promise<Values> {
    clearTimeout(this.timer);
    // What is typed during the request is to be forgotten, not to be sent behind it.
    const { pending } = this;
    this.pending = {};
    await this.running;
    clearTimeout(this.timer);
    const forgotten = { ...pending, ...this.unsaved };
    [this.pending, this.refused, this.clashing] = [{}, {}, {}];
    this.again = AGAIN.first;
    this.options.onState('clean', null);
    return forgotten;
  }

  private get hasPending(): boolean {
    return Object.keys(this.pending).length > 0;
  }

  private async drained(): Promise<boolean> {
    while (this.hasPending) {
      [this.sending, this.pending] = [this.pending, {}];
      this.options.onState('saving', null);
      try {
        await this.options.save(this.sending);
        this.again = AGAIN.first;
      } catch (error) {
        const typed = this.pending;
        this.pending = { ...this.sending, ...typed };
        if (!this.setAside(error, typed)) return this.failed(error);
        this.again = AGAIN.first;
      } finally {
        this.sending = {};
      }
    }
    return this.settled();
  }

  private settled(): boolean {
    if (this.undecided.length > 0) this.options.onState('conflict', null);
    else if (Object.keys(this.refused).length > 0) this.options.onState('refused', this.refusal);
    else this.options.onState('clean', null);
    return Object.keys(this.unsaved).length === 0;
  }

  /**
   * Puts aside what clashes, and what is refused unless it was typed anew meanwhile.
   *
   * @returns whether that is the whole trouble
   */
  private setAside(error: unknown, typed: Values): boolean {
    const isClash = error instanceof ClashError;
    const names = (isClash ? error.fields : refusedFields(error)).filter((name) => name in this.sending);
    const aside = only(this.pending, isClash ? names : names.filter((name) => !(name in typed)));
    this.pending = without(this.pending, Object.keys(aside));
    if (isClash) this.clashing = { ...this.clashing, ...aside };
    else [this.refused, this.refusal] = [{ ...this.refused, ...aside }, error];
    return names.length > 0;
  }

  private failed(error: unknown): false {
    this.options.onState(stateAfter(error), error);
    if (!isPassing(error)) this.again = AGAIN.first;
    else {
      this.flushIn(Math.max(this.again, waitOf(error)));
      this.again = Math.min(this.again * 2, AGAIN.most);
    }
    return false;
  }

  private flushIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), milliseconds);
  }
}

/** Fields of which the service has said that they cannot be stored as they are. */
function refusedFields(error: unknown): string[] {
  const isAbout = error instanceof CmsError && ['slug_taken', 'validation_failed'].includes(error.code);
  return isAbout ? faultsOf(error).map(({ field }) => partOf(field)) : [];
}

function stateAfter(error: unknown): SaveState {
  if (isSignedOut(error)) return 'signedOut';
  return isPassing(error) ? 'offline' : 'failed';
}

/** Milliseconds that the service asks to wait. */
function waitOf(error: unknown): number {
  return error instanceof CmsError ? (error.retryAfter ?? 0) * 1_000 : 0;
}

function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
