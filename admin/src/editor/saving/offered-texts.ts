import { randomKey } from '../../common/random-key.js';
import type { EchoStore, KeptEcho, Origin } from './echo.js';
import { isNews } from './kept-text.js';
import type { Values } from './save-queue.js';
import type { Opened } from './working-copy.js';

interface OfferedTextsOptions {
  readonly store: EchoStore;
  /** The record beside which texts are offered; `opened` is `null` if it is new. */
  readonly of: () => Omit<Origin, 'id'> & { readonly opened: Opened | null };
  readonly onChange: (found: readonly KeptEcho[]) => void;
}

/** Texts that are offered beside a record, and stay on the device until someone has decided about them. */
export class OfferedTexts {
  private found: readonly KeptEcho[] = [];

  constructor(private readonly options: OfferedTextsOptions) {}

  /** Offers a text, if it is more than what is saved. */
  offer(echo: KeptEcho): void {
    if (isNews(echo, this.options.of().opened)) this.show([...this.found, echo].sort((a, b) => b.at - a.at));
    else void this.forget(echo).catch(() => undefined);
  }

  /** Offers what was typed here and was replaced by something else. */
  async offerOwn(values: Values): Promise<void> {
    if (Object.keys(values).length === 0) return;
    const { store, of } = this.options;
    const { opened, ...origin } = of();
    const own = { ...origin, id: opened?.record.id ?? null, values, creation: null };
    const key = randomKey();
    this.offer({ ...own, key, tab: '', at: Date.now() });
    await store.keep(key, own).catch(() => undefined);
  }

  /** Offers less of a text: the rest was taken. */
  shorten(echo: KeptEcho, values: Values): void {
    this.show([{ ...echo, values }, ...this.without(echo)]);
  }

  /** Gives a text up. */
  async forget(echo: KeptEcho): Promise<void> {
    this.show(this.without(echo));
    await this.options.store.forget([echo.key]);
  }

  private without(echo: KeptEcho): readonly KeptEcho[] {
    return this.found.filter(({ key }) => key !== echo.key);
  }

  private show(found: readonly KeptEcho[]): void {
    this.found = found;
    this.options.onChange(found);
  }
}
