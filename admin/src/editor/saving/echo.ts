import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval';
import { randomKey } from '../../common/random-key.js';
import { place } from '../../place.js';
import type { Values } from './save-queue.js';

/** A creation of which the answer is not known: sent again with its key, it makes no second record. */
export interface Creation {
  readonly key: string;
  readonly body: Values;
}

/** The content of an input that can be saved in no way, with the reason. */
export interface Held {
  readonly input: unknown;
  readonly fault: string;
}

/** Changes of a record that were typed and are not known to be saved. */
export interface Echo {
  /** The person who typed them. */
  readonly user: number;
  /** The page that keeps it. */
  readonly tab: string;
  readonly type: string;
  /** `null`: the record is new. */
  readonly id: number | null;
  readonly values: Values;
  /** Absent: an earlier release has kept it. */
  readonly held?: Readonly<Record<string, Held>>;
  /** Values of the fields when they were changed. Absent: an earlier release has kept it. */
  readonly bases?: Values;
  readonly creation: Creation | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Keeps what is typed until it is saved. */
export interface EchoStore {
  keep(key: string, echo: Omit<Echo, 'tab' | 'at'>): Promise<void>;
  forget(keys: readonly string[]): Promise<void>;
}

/** An echo, and what it is kept by. */
export interface KeptEcho extends Echo {
  readonly key: string;
}

/** Milliseconds that an echo is kept. */
const MONTH = 30 * 24 * 3_600_000;

/** This page; another one for each load. */
const TAB = randomKey();
/** Web Locks are not there on pages without TLS. */
const locks = (navigator as Partial<Navigator>).locks;
// Held for as long as this page lives.
void locks?.request(lockOf(TAB), () => new Promise(() => undefined));

let opened: UseStore | undefined;
const store = (): UseStore => (opened ??= createStore(`content-console ${place.path}`, 'echoes'));

/** The echoes of this device, in IndexedDB. Its methods fail in windows that keep nothing. */
export const echoStore: EchoStore = {
  keep: (key, echo) => set(key, { ...echo, tab: TAB, at: Date.now() }, store()),
  forget: (keys) => delMany([...keys], store()),
};

/** The person and the record that echoes belong to. */
export type Origin = Pick<Echo, 'user' | 'type' | 'id'>;

/**
 * Offers what someone typed into a record in other pages: each echo as soon as its page is gone. Old echoes of all are removed.
 * A page may have been closed a moment ago, or be closed in an hour.
 */
export async function offerEchoes(of: Origin, offer: (echo: KeptEcho) => unknown): Promise<void> {
  const all = await allEchoes();
  const old = all.filter(({ at }) => Date.now() - at > MONTH);
  if (old.length > 0) await echoStore.forget(old.map(({ key }) => key));
  for (const echo of all) {
    if (isOf(echo, of) && echo.tab !== TAB && !old.includes(echo))
      void offerWhenGone(echo, of, offer).catch(() => undefined);
  }
}

/** By then its page may have saved it, or kept more. */
async function offerWhenGone({ key, tab }: KeptEcho, of: Origin, offer: (echo: KeptEcho) => unknown): Promise<void> {
  await locks?.request(lockOf(tab), { mode: 'shared' }, () => undefined);
  const last = (await allEchoes()).find((echo) => echo.key === key);
  if (last && isOf(last, of)) offer(last);
}

async function allEchoes(): Promise<KeptEcho[]> {
  return (await entries<string, Echo>(store())).map(([key, echo]) => ({ ...echo, key }));
}

function isOf(echo: Echo, { user, type, id }: Origin): boolean {
  return echo.user === user && echo.type === type && echo.id === id;
}

function lockOf(tab: string): string {
  return `content-console-page ${tab}`;
}
