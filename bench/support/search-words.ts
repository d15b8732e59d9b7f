import { ask, type Body, type Call, type Work } from './load.js';
import { DATABASE_URL, POSTS } from './options.js';
import { command, type ServiceProcess } from './service.js';
import { Prose } from './text.js';

/** A word, and how many posts have it. */
export interface Word {
  readonly word: string;
  readonly total: number;
}

const CANDIDATES = 1_000;
const LEAST_SHARE = 0.007;
const MOST_SHARE = 0.013;
const PER_PAGE = 15;

export function searchFor(q: string, page = 1): Call {
  return { method: 'GET', path: `/api/cms/search?q=%22${q}%22&page=${page}` };
}

/** The request of the console's palette while people type: the first hits, not counted. */
export function beginningWith(start: string): Call {
  return { method: 'GET', path: `/api/cms/search?q=${start}&count=none&per_page=8` };
}

/** Words of titles, each once. */
export function someWords(): string[] {
  const prose = new Prose(1);
  const seen = new Set(Array.from({ length: CANDIDATES }, () => prose.title().toLowerCase().split(' ')).flat());
  return [...seen].filter((one) => one.length > 2);
}

export async function totalOf(service: ServiceProcess, word: string): Promise<number> {
  const answer: Body = await ask(service, searchFor(word));
  return Number(answer.meta.total);
}

/** Seeding writes no search documents. */
export async function indexed(service: ServiceProcess): Promise<void> {
  if ((await totalOf(service, someWords()[0] ?? '')) === 0) await command(DATABASE_URL, ['search', 'reindex']);
}

/** So many words that about a hundredth of the posts have. */
export async function wordsOfAHundredth(service: ServiceProcess, count: number): Promise<Word[]> {
  const found: Word[] = [];
  for (const word of someWords()) {
    if (found.length === count) return found;
    const total = await totalOf(service, word);
    if (total >= POSTS * LEAST_SHARE && total <= POSTS * MOST_SHARE) found.push({ word, total });
  }
  throw new Error(`Only ${found.length} words are as frequent as they have to be.`);
}

/** Searches for words in turn: first pages, whose totals are known. */
export function searches(words: readonly Word[]): Work {
  const totals = new Map(words.map(({ word, total }) => [searchFor(word).path, total]));
  let turn = 0;
  return {
    next: () => searchFor(words[(turn += 1) % words.length]?.word ?? ''),
    check: ({ data, meta }: Body, { path }) => {
      if (meta.total !== totals.get(path)) throw new Error(`${path} has a total of ${String(meta.total)}.`);
      if (data.length !== PER_PAGE) throw new Error(`${path} has ${String(data.length)} hits.`);
    },
  };
}

/** Searches for words in turn, each together with the absence of a word that is new each time. */
export function newSearches(words: readonly Word[]): Work {
  const { next, check } = searches(words);
  const run = Date.now().toString(36);
  let asked = 0;
  const plain = (path: string): string => path.replace(/\+-%22\w+%22/, '');
  return {
    next: () => {
      const { path, ...call } = next();
      return { ...call, path: path.replace('&', `+-%22zq${run}x${(asked += 1)}%22&`) };
    },
    check: (answer, { path, ...call }) => {
      check(answer, { ...call, path: plain(path) });
    },
  };
}
