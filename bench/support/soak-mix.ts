import { randomInt } from 'node:crypto';
import { create, list, readById, update } from './cases.js';
import { headersOf, type Call } from './load.js';
import type { Posts } from './posts.js';
import { searchFor, someWords } from './search-words.js';

/** A request of the mix, and the statuses that are right for it. */
export interface SoakCall {
  readonly method: Call['method'] | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: readonly number[];
  /** The client leaves after the head of the answer. */
  readonly isLeft?: boolean;
}

interface Kind {
  readonly title: string;
  /** Share in a thousand requests. */
  readonly share: number;
  readonly next: () => SoakCall;
}

const KEPT_TAGS = 500;

/** Requests of people, applications and strangers, in the shares of the contract for operations. */
export class SoakMix {
  private readonly tags = new Map<string, string>();
  private readonly created: number[] = [];
  private readonly kinds: readonly Kind[];

  constructor(posts: Posts) {
    const [read, fresh, page, write] = [readById(posts), create(), list({ per_page: 15 }), update(posts)];
    const ok = (call: Call): SoakCall => soakCall(call, [200, 201]);
    const get = (path: string, expected = [200]): SoakCall => soakCall({ method: 'GET', path }, expected);
    const words = someWords();
    const word = (): string => words[randomInt(words.length)] ?? '';
    this.kinds = [
      { title: 'read by id', share: 450, next: () => ok(read.next()) },
      { title: 'read with its ETag', share: 150, next: () => this.conditional() ?? ok(read.next()) },
      { title: 'list of 15', share: 200, next: () => ok(page.next()) },
      { title: 'page', share: 40, next: () => get(`/api/cms/post?per_page=15&page=${randomInt(1, 200)}`) },
      { title: 'search', share: 40, next: () => ok(searchFor(word())) },
      { title: 'create', share: 20, next: () => ok(fresh.next()) },
      { title: 'update', share: 30, next: () => ok(write.next()) },
      { title: 'delete', share: 10, next: () => this.removal() ?? ok(fresh.next()) },
      { title: 'history', share: 10, next: () => get(`${read.next().path}/revisions`) },
      { title: 'sitemap', share: 5, next: () => get('/sitemap.xml') },
      { title: 'list of 100, left', share: 10, next: () => ({ ...get('/api/cms/post?per_page=100'), isLeft: true }) },
      { title: 'export, left', share: 5, next: () => ({ ...get('/api/cms/post/-/export'), isLeft: true }) },
      {
        title: 'unknown token',
        share: 15,
        next: () => soakCall({ method: 'GET', path: '/api/cms/post', token: `unknown-${word()}` }, [401]),
      },
      { title: 'nothing there', share: 10, next: () => get('/api/cms/post/999999999', [404]) },
      {
        title: 'wrong body',
        share: 5,
        next: () => soakCall({ method: 'POST', path: '/api/cms/post', body: { title: 7 } }, [400, 422]),
      },
    ];
  }

  next(): SoakCall {
    const sum = this.kinds.reduce((total, { share }) => total + share, 0);
    let rest = randomInt(sum);
    for (const { share, next } of this.kinds) {
      rest -= share;
      if (rest < 0) return next();
    }
    throw new Error('The shares do not add up.');
  }

  /** Keeps what later requests refer to. */
  answered({ method, path }: SoakCall, tag: string | null, text: string): void {
    if (method === 'POST') this.noteCreated(text);
    if (method === 'GET' && tag !== null && /\/\d+$/.test(path)) this.noteTag(path, tag);
  }

  private noteCreated(text: string): void {
    const { data } = JSON.parse(text);
    if (data) this.created.push(data.id as number);
  }

  private noteTag(path: string, tag: string): void {
    this.tags.delete(path);
    this.tags.set(path, tag);
    const [oldest] = this.tags.keys();
    if (this.tags.size > KEPT_TAGS && oldest !== undefined) this.tags.delete(oldest);
  }

  private conditional(): SoakCall | null {
    const known = [...this.tags];
    const one = known[randomInt(Math.max(known.length, 1))];
    if (!one) return null;
    const [path, tag] = one;
    const call = soakCall({ method: 'GET', path }, [200, 304]);
    return { ...call, headers: { ...call.headers, 'if-none-match': tag } };
  }

  private removal(): SoakCall | null {
    const id = this.created.shift();
    if (id === undefined) return null;
    return { ...soakCall({ method: 'GET', path: `/api/cms/post/${id}` }, [200, 204]), method: 'DELETE' };
  }
}

function soakCall(call: Call, expected: readonly number[]): SoakCall {
  const { method, path, body } = call;
  return { method, path, headers: headersOf(call), expected, ...(body ? { body: JSON.stringify(body) } : {}) };
}
