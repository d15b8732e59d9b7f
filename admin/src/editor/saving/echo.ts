import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval';
import { randomKey } from '../../common/random-key.js';
import { place } from '../../place.js';
import type { Values } from './save-queue.js';

/** A creation of which the answer is not known: sent again with its key, it makes no second record. */
export interface Creation {
  readonly key: string;
  readonly body: Values;
}

/** What was typed into a record and is not known to be saved. */
export interface Echo {
  /** Who typed it. */
  readonly user: number;
  /** The page that keeps it. */
  readonly tab: string;
  readonly type: string;
  /** `null`: the record is new. */
  readonly id: number | null;
  readonly values: Values;
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

/** What someone typed into a record in pages that are gone, the newest first. Old echoes of all are removed. */
export async function echoesOf(user: number, type: string, id: number | null): Promise<KeptEcho[]> {
  const all = (await entries<string, Echo>(store())).map(([key, echo]) => ({ ...echo, key }));
  const old = all.filter(({ at }) => Date.now() - at > MONTH);
  if (old.length > 0) await echoStore.forget(old.map(({ key }) => key));
  const own = all.filter((one) => one.user === user && one.type === type && one.id === id && !old.includes(one));
  if (own.length === 0) return [];
  const living = await livingTabs();
  return own.filter(({ tab }) => !living.has(tab)).sort((a, b) => b.at - a.at);
}

async function livingTabs(): Promise<Set<string>> {
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set([TAB, ...held.flatMap(({ name }) => name?.split(lockOf(''))[1] ?? [])]);
}

function lockOf(tab: string): string {
  return `content-console-page ${tab}`;
}
