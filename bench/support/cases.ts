import { randomInt } from 'node:crypto';
import type { Body, Call, Work } from './load.js';
import { BODY_BYTES, type Posts } from './posts.js';
import { Prose } from './text.js';

const prose = new Prose(2);
/** Records that are edited at one time. */
const WORKED_ON = 500;
let written = 0;

function requireEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what} is ${String(actual)} instead of ${String(expected)}.`);
}

function checkRecord(record: Body): void {
  requireEqual(record.type, 'post', 'the type');
  requireEqual(typeof record.id, 'number', 'the kind of the id');
  requireEqual(record.body.length, BODY_BYTES, 'the length of the body');
}

function randomId({ first, last }: Posts): number {
  return randomInt(first, last + 1);
}

export function readById(posts: Posts): Work {
  return {
    next: () => ({ method: 'GET', path: `/api/cms/post/${randomId(posts)}` }),
    check: ({ data }, { path }) => {
      checkRecord(data);
      requireEqual(data.id, Number(path.split('/').at(-1)), 'the id');
    },
  };
}

type Query = Readonly<Record<string, string | number>>;

function searchOf(query: Query): string {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(parameters).toString();
}

/** The total is that of the seed, which only lists without a status can know beforehand. */
export function list(query: Query, total?: number): Work {
  return {
    next: () => ({ method: 'GET', path: `/api/cms/post?${searchOf(query)}` }),
    check: ({ data, meta }) => {
      data.forEach(checkRecord);
      requireEqual(data.length, query.per_page, 'the number of records');
      if (total !== undefined) requireEqual(meta.total, total, 'the total');
      if (query.status)
        requireEqual(
          data.every(({ status }: Body) => status === query.status),
          true,
          'the filter',
        );
      const times = data.map(({ created_at: at }: Body) => at as string);
      requireEqual(times.join(), times.toSorted().reverse().join(), 'the order');
    },
  };
}

/** @param name `read`, `list15`, `list100`, with `/bytes` behind it for the bytes alone */
export function constant(name: string, expected: Body): Work {
  const text = JSON.stringify(expected);
  return {
    next: () => ({ method: 'GET', path: `/api/constant/post/${name}` }),
    check: (answer) => {
      requireEqual(JSON.stringify(answer), text, 'the constant');
    },
  };
}

function newBody(): string {
  written += 1;
  return `${written} ${prose.body(BODY_BYTES)}`.slice(0, BODY_BYTES);
}

export function create(): Work {
  return {
    next: () => {
      const body = newBody();
      return { method: 'POST', path: '/api/cms/post', body: { title: `${prose.title()} ${written}`, body } };
    },
    check: ({ data }) => {
      checkRecord(data);
      requireEqual(data.version, 1, 'the version');
    },
  };
}

export function updateOf(id: number): Call {
  return { method: 'PATCH', path: `/api/cms/post/${id}`, body: { body: newBody() } };
}

export function update(posts: Posts): Work {
  return {
    next: () => updateOf(randomId(posts)),
    check: ({ data }, { path }) => {
      checkRecord(data);
      requireEqual(data.id, Number(path.split('/').at(-1)), 'the id');
      requireEqual(data.version > 1, true, 'that there is a new version');
    },
  };
}

/** Saves of working copies, as an editor sends them while a text is written: whole bodies, one of some records each. */
export function saveOfCopy({ first }: Posts): Work {
  return {
    next: () => ({
      method: 'PATCH',
      path: `/api/cms/post/${randomId({ first, last: first + WORKED_ON })}/draft`,
      body: { body: newBody() },
      headers: { 'If-Match': '*', Prefer: 'return=minimal' },
    }),
    check: ({ meta }) => {
      requireEqual(meta.draft.changed.join(), 'body', 'what is to change');
    },
  };
}
