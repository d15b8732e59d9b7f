import { CmsError } from '@content-service/client';
import { isPassing } from '../../common/failure.js';

/** Values of fields by their names, as they are sent. */
export type Values = Readonly<Record<string, unknown>>;

/** Where what was typed is. */
export type SaveState = 'clean' | 'waiting' | 'saving' | 'refused' | 'offline' | 'conflict' | 'failed';

/** What a queue saves with, and whom it tells. */
interface SaveQueueOptions {
  readonly save: (values: Values) => Promise<void>;
  readonly onState: (state: SaveState, error: unknown) => void;
}

/** Milliseconds without a key until what was typed is sent. */
const PAUSE = 900;
/** Milliseconds until it is sent again to a service that did not answer: the first time, and at most. */
const AGAIN = { first: 2_000, most: 15_000 };

/**
 * Saves what is typed, one request at a time and the newest values last. Nothing that failed is dropped; fields that are
 * refused wait for their next change, so that they do not hold up the others.
 */
export class SaveQueue {
  private pending: Values = {};
  private refused: Values = {};
  /** Why they are. */
  private refusal: unknown = null;
  private running: Promise<boolean> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private again = AGAIN.first;

  constructor(private readonly options: SaveQueueOptions) {}

  /** Takes what was typed. */
  add(values: Values): void {
    this.pending = { ...this.pending, ...values };
    this.refused = without(this.refused, Object.keys(values));
    this.options.onState('waiting', null);
    this.flushIn(PAUSE);
  }

  /** Sends what is waiting now. @returns whether everything is saved */
  flush(): Promise<boolean> {
    clearTimeout(this.timer);
    this.running ??= this.drained().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Whether something is not saved. */
  get isBusy(): boolean {
    return this.running !== undefined || Object.keys({ ...this.pending, ...this.refused }).length > 0;
  }

  /** Forgets what is not saved. */
  clear(): void {
    clearTimeout(this.timer);
    [this.pending, this.refused] = [{}, {}];
    this.options.onState('clean', null);
  }

  private async drained(): Promise<boolean> {
    while (Object.keys(this.pending).length > 0) {
      const sent = this.pending;
      this.pending = {};
      this.options.onState('saving', null);
      try {
        await this.options.save(sent);
        this.again = AGAIN.first;
      } catch (error) {
        this.pending = { ...sent, ...this.pending };
        if (!this.setAside(error)) return this.failed(error);
      }
    }
    const isWhole = Object.keys(this.refused).length === 0;
    this.options.onState(isWhole ? 'clean' : 'refused', isWhole ? null : this.refusal);
    return isWhole;
  }

  /** Puts aside what the service refuses. @returns whether that is the whole trouble */
  private setAside(error: unknown): boolean {
    const names = refusedFields(error).filter((name) => name in this.pending);
    if (names.length === 0) return false;
    this.refused = { ...this.refused, ...only(this.pending, names) };
    this.pending = without(this.pending, names);
    this.refusal = error;
    return true;
  }

  private failed(error: unknown): false {
    this.options.onState(stateAfter(error), error);
    if (isPassing(error)) {
      this.flushIn(this.again);
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
  if (!(error instanceof CmsError)) return [];
  if (error.code === 'slug_taken') return ['slug'];
  if (error.code !== 'validation_failed') return [];
  return error.details.flatMap(({ field }) => field?.split('.')[0] ?? []);
}

function stateAfter(error: unknown): SaveState {
  if (error instanceof CmsError && error.code === 'version_conflict') return 'conflict';
  return isPassing(error) ? 'offline' : 'failed';
}

function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
