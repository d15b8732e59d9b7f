import { isSame } from './copy-writer.js';
import type { Echo, EchoStore, KeptEcho } from './echo.js';
import type { Opened } from './working-copy.js';

/** The stored text of a record, without the data of its owner. */
export type Unsaved = Pick<Echo, 'user' | 'type' | 'id' | 'values' | 'bases' | 'held' | 'creation'>;

/** Milliseconds from a key to its echo. */
const SOON = 200;

/** Keeps on the device what is not known to be saved, and no more than that. */
export class KeptText {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isEmpty = true;
  /** One change of the store behind the other. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param read what is not saved at that moment
   * @param onFailed the device keeps nothing
   */
  constructor(
    private readonly store: EchoStore,
    private readonly key: string,
    private readonly read: () => Unsaved,
    private readonly onFailed: () => void,
  ) {}

  /** Something has changed; soon the device knows. */
  changed(): void {
    this.timer ??= setTimeout(() => void this.write(), SOON);
  }

  /** Brings the device up to date now. */
  write(): Promise<unknown> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const unsaved = this.read();
    const isEmpty = hasNone(unsaved.values) && hasNone(unsaved.held) && unsaved.creation === null;
    if (isEmpty && this.isEmpty) return this.last;
    this.isEmpty = isEmpty;
    const work = () => (isEmpty ? this.store.forget([this.key]) : this.store.keep(this.key, unsaved));
    return (this.last = this.last.then(work).catch(this.onFailed));
  }
}

/** Tells whether an echo has something that a record lacks. */
export function isNews({ values, held }: KeptEcho, opened: Opened | null): boolean {
  return !hasNone(held) || Object.entries(values).some(([name, value]) => !isSame(value, opened?.current[name]));
}

function hasNone(values: object = {}): boolean {
  return Object.keys(values).length === 0;
}
