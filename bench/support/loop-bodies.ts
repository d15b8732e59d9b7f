import { gzipSync } from 'node:zlib';
import type { RawCall } from './raw.js';

type Sent = Pick<RawCall, 'body' | 'headers'>;

/** A little below the greatest body that is read, and the longest text that a body of a record may be. */
const BYTES = 4_150_000;
const CHARACTERS = 990_000;
const SMALL = 16_000;

const list = (item: string, bytes = BYTES): string =>
  Array.from({ length: bytes / (item.length + 1) }, () => item).join();
const inside = (json: string): string => `{"title":"x","z":${json}}`;
const keys = (bytes: number): string =>
  Array.from({ length: bytes / 12 }, (_, n) => `"${n.toString(36).padStart(6, 'k')}":0`).join();

/** Bodies that cost much to read and to check, and little to send. */
const BODIES: Readonly<Record<string, string>> = {
  '0,0…': inside(`[${list('0')}]`),
  '[],[]…': inside(`[${list('[]')}]`),
  '{},{}…': inside(`[${list('{}')}]`),
  '"",""…': inside(`[${list('""')}]`),
  'NUL in each text': inside(`[${list('"\\u0000"')}]`),
  'half characters in each text': inside(`[${list('"\\ud800"')}]`),
  '__proto__ in each object': inside(`[${list('{"__proto__":0}')}]`),
  'nested 300,000 deep': inside('['.repeat(300_000) + ']'.repeat(300_000)),
  'nested 32 deep, again and again': inside(`[${list('['.repeat(30) + ']'.repeat(30))}]`),
  'many keys': `{${keys(BYTES)}}`,
  'the title again and again': `{${list('"title":"x"')}}`,
  'one number of a million digits': inside('9'.repeat(BYTES)),
  'one text of escapes': inside(`"${'\\u00e9'.repeat(BYTES / 6)}"`),
  'cut off': inside(`[${list('0')}`),
  'a text of one letter': inside(`"${'x'.repeat(BYTES)}"`),
};

const GZIP: Sent = {
  body: gzipSync(Buffer.alloc(200 * 1_048_576, '0,')),
  headers: { 'content-encoding': 'gzip' },
};
const NOT_UTF8: Sent = { body: Buffer.alloc(BYTES, 0xff) };

/** Bodies by what is in them, to be sent to any path that takes one. */
export function hostileBodies(path: string): [title: string, call: RawCall][] {
  const texts = Object.entries(BODIES).map(([title, text]): [string, Sent] => [title, { body: Buffer.from(text) }]);
  return [...texts, ['gzip, 200 MB when unpacked', GZIP] as const, ['not UTF-8', NOT_UTF8] as const].map(
    ([title, call]) => [title, { ...call, method: 'POST', path }],
  );
}

/** The greatest bodies that are read before a sign-in. */
export function hostileSignIns(): [title: string, call: RawCall][] {
  const bodies: Readonly<Record<string, string>> = {
    'sign-in, 0,0…': inside(`[${list('0', SMALL)}]`),
    'sign-in, many keys': `{${keys(SMALL)}}`,
    'sign-in, long password': JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(SMALL) }),
    'sign-in, unknown address': JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(20) }),
  };
  return Object.entries(bodies).map(([title, text]) => [
    title,
    { method: 'POST', path: '/api/auth/login', body: Buffer.from(text) },
  ]);
}

const WORDS = 'word '.repeat(10);

const PIECES = {
  tags: '<b>x</b>',
  'open tags': '<a b="',
  brackets: '[](',
  rules: '\n---\n',
  backticks: '`',
  fences: '```\n',
  apostrophes: "o'n'",
  marks: 'e\u0301\u0302',
  CJK: '漢',
  Cyrillic: 'слово ',
  faces: '😀',
  emphasis: '**_',
  entities: '&amp;&#x27;',
  'one word': 'x',
  'short words': 'ab cd ',
  'line ends': '\n',
  'letters that fold to eighteen': '\ufdfa',
  'words that fold to eighteen letters': '\ufdfa ',
  prose: WORDS,
};

/** Texts of a million characters that are dear to analyse, to compare or to pack. Each turn gives another one. */
export const HOSTILE_TEXTS: Readonly<Record<string, (turn: number) => string>> = {
  ...Object.fromEntries(Object.entries(PIECES).map(([title, piece]) => [title, filledWith(piece)])),
  'different words': (turn) => Array.from({ length: 120_000 }, (_, n) => ((n + turn) * 7_919).toString(36)).join(' '),
};
function fill(piece: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(piece)) - 2;
  return piece.repeat(Math.floor(Math.min(BYTES / bytes, CHARACTERS / Array.from(piece).length)));
}

function filledWith(piece: string): (turn: number) => string {
  return (turn) => `${turn} ${fill(piece)} ${turn}`;
}
