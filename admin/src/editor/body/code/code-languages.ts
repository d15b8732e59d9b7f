import { StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Parser } from '@lezer/common';

type Load = () => Promise<Parser>;

/** Adapts a mode of the library: each has a state of its own kind, which nothing outside of it reads. */
const read = (mode: StreamParser<unknown>): Parser => StreamLanguage.define(mode).parser;

/** Names by which code blocks call a language, and what reads it: a file each, which is loaded when a text needs it. */
const LANGUAGES: readonly (readonly [names: string, load: Load])[] = [
  ['js javascript jsx mjs cjs node', () => modes.script().then((m) => read(m.javascript))],
  ['ts typescript tsx mts cts', () => modes.script().then((m) => read(m.typescript))],
  ['json jsonc json5', () => modes.script().then((m) => read(m.json))],
  ['css', () => modes.css().then((m) => read(m.css))],
  ['scss', () => modes.css().then((m) => read(m.sCSS))],
  ['less', () => modes.css().then((m) => read(m.less))],
  ['html htm vue svelte', () => import('./html-parser.js').then((m) => m.html.parser)],
  ['xml svg rss xsd', () => import('@codemirror/legacy-modes/mode/xml').then((m) => read(m.xml))],
  ['sh bash shell zsh console', () => import('@codemirror/legacy-modes/mode/shell').then((m) => read(m.shell))],
  ['py python', () => import('@codemirror/legacy-modes/mode/python').then((m) => read(m.python))],
  ['yaml yml', () => import('@codemirror/legacy-modes/mode/yaml').then((m) => read(m.yaml))],
  ['toml', () => import('@codemirror/legacy-modes/mode/toml').then((m) => read(m.toml))],
  ['ini env properties', () => import('@codemirror/legacy-modes/mode/properties').then((m) => read(m.properties))],
  ['sql sqlite', () => modes.sql().then((m) => read(m.standardSQL))],
  ['mysql mariadb', () => modes.sql().then((m) => read(m.mySQL))],
  ['pgsql postgres postgresql', () => modes.sql().then((m) => read(m.pgSQL))],
  ['go golang', () => import('@codemirror/legacy-modes/mode/go').then((m) => read(m.go))],
  ['rust rs', () => import('@codemirror/legacy-modes/mode/rust').then((m) => read(m.rust))],
  ['ruby rb', () => import('@codemirror/legacy-modes/mode/ruby').then((m) => read(m.ruby))],
  ['swift', () => import('@codemirror/legacy-modes/mode/swift').then((m) => read(m.swift))],
  ['c h', () => modes.braces().then((m) => read(m.c))],
  ['cpp c++ cc hpp', () => modes.braces().then((m) => read(m.cpp))],
  ['java', () => modes.braces().then((m) => read(m.java))],
  ['cs csharp c#', () => modes.braces().then((m) => read(m.csharp))],
  ['kotlin kt', () => modes.braces().then((m) => read(m.kotlin))],
  ['diff patch', () => import('@codemirror/legacy-modes/mode/diff').then((m) => read(m.diff))],
  ['dockerfile docker', () => import('@codemirror/legacy-modes/mode/dockerfile').then((m) => read(m.dockerFile))],
  ['nginx', () => import('@codemirror/legacy-modes/mode/nginx').then((m) => read(m.nginx))],
];

const modes = {
  script: () => import('@codemirror/legacy-modes/mode/javascript'),
  css: () => import('@codemirror/legacy-modes/mode/css'),
  sql: () => import('@codemirror/legacy-modes/mode/sql'),
  braces: () => import('@codemirror/legacy-modes/mode/clike'),
};

const loads = new Map(LANGUAGES.flatMap(([names, load]) => names.split(' ').map((name) => [name, load])));
/** `null`: it could not be loaded, and is not asked for again before the page is. */
const loaded = new Map<Load, Parser | null>();

/** The parser of the code in a block, the promise of one, or `null` if there is none. @param info `ts title="a.ts"` */
export function codeParserOf(info: string): Parser | Promise<unknown> | null {
  const load = loads.get(nameIn(info));
  if (!load) return null;
  const parser = loaded.get(load);
  if (parser !== undefined) return parser;
  return load().then(
    (found) => loaded.set(load, found),
    () => loaded.set(load, null),
  );
}

/** `TS title="a.ts"` -> `ts`, `{.python}` -> `python` */
function nameIn(info: string): string {
  return (/^[\s{.]*([^\s,}{:]+)/.exec(info)?.[1] ?? '').toLowerCase();
}
