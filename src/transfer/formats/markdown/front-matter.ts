import { parse as parseToml, TomlError } from 'smol-toml';
import { isMap, LineCounter, parseDocument, visit, type Document, type YAMLMap, type YAMLParseError } from 'yaml';
import { isExact } from '../../../common/text/exact-numbers.js';
import type { SourceValue } from '../import-entry.js';

/** A text with the settings that stand before it: YAML between `---`, TOML between `+++`, or an object of JSON. */
export interface FrontMatter {
  /** `null`: the text has none. */
  readonly values: Readonly<Record<string, SourceValue>> | null;
  readonly body: string;
  readonly faults: readonly Fault[];
}

interface Fault {
  readonly line: number;
  readonly message: string;
}

const MAX_LENGTH = 100_000;
/** One bracket that is missing makes every line after it wrong. */
const MAX_FAULTS = 10;
/** The parser goes down by calling itself, and beyond some hundred levels it takes the process with it. */
const MAX_DEPTH = 64;
const DEEP_LIST = new RegExp(`^[ \\t]*(?:[-?][ \\t]+){${MAX_DEPTH}}`);
/** A quoted value that does not end on its line. */
const OPEN_QUOTE = /^[^\s#"'][^"'\n]*?:[ \t]+(?:"(?:[^"\\]|\\.)*|'[^']*)$/;
const CLOSING = { '"': /^(?:[^"\\]|\\.)*"/, "'": /^(?:[^']|'')*'(?!')/ } as const;
/** Zola and Hugo keep settings of their own apart from those of a theme or a site. */
const GROUPS = ['taxonomies', 'extra', 'params'] as const;
/** In a group these say something about the theme, not about the text. */
const OWN_MEANING = new Set(
  'title slug status draft published private hidden password date created_at locale lang language key'.split(' '),
);

/** Takes a text apart: front matter, which empty lines may stand before, and body. */
export function frontMatter(text: string): FrontMatter {
  const [lead = ''] = /^(?:[ \t\r]*\n)+/.exec(text) ?? [];
  const rest = text.slice(lead.length);
  // Empty lines stand for those before the settings, so that lines are counted as in the file.
  const before = lead.split('\n').map(() => '');
  if (/^\+\+\+[ \t\r]*\n/.test(rest)) return fenced(rest, before, '+++', /^\+\+\+\s*$/, tomlSettings);
  if (/^\{\s*"/.test(rest)) return json(rest, before.slice(1));
  if (/^---\s*(?:\n|$)/.test(rest)) return fenced(rest, before, '---', /^(?:---|\.\.\.)\s*$/, settings);
  return { values: null, body: bodyOf(text), faults: [] };
}

type Settings = Pick<FrontMatter, 'values' | 'faults'>;

function fenced(
  text: string,
  before: readonly string[],
  fence: string,
  closing: RegExp,
  read: (lines: readonly string[]) => Settings,
): FrontMatter {
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && closing.test(line));
  if (end === -1) {
    const message = `The front matter that begins with ${fence} has no second ${fence} at its end.`;
    return { ...refused(message, before.length), body: '' };
  }
  return { ...read([...before, ...lines.slice(1, end)]), body: bodyOf(lines.slice(end + 1).join('\n')) };
}

function tomlSettings(lines: readonly string[]): Settings {
  const limit = limitOf(lines);
  if (limit !== null) return refused(limit, 1);
  try {
    const values = plain(parseToml(lines.join('\n'), { integersAsBigInt: 'asNeeded' }));
    return { values: flat(values, lines), faults: [] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = firstLine(error).replace(/^Invalid TOML document: /, '');
    return refused(`The front matter is not valid TOML: ${reason}.`, error.line);
  }
}

/** Moments and long numbers as texts. */
function plain(values: object): Record<string, unknown> {
  const text = JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return JSON.parse(text) as Record<string, unknown>;
}

/** An object of JSON is YAML as well, whose parser keeps numbers as they are written. */
function json(text: string, before: readonly string[]): FrontMatter {
  const end = endOfObject(text.slice(0, MAX_LENGTH));
  const object = end === null ? null : text.slice(0, end);
  if (object === null || !isJson(object)) {
    const fault = object === null ? 'has no } at its end' : 'is not valid JSON';
    return { ...refused(`The front matter that begins with { ${fault}.`, before.length + 1), body: '' };
  }
  const lines = [...before, ...object.split('\n')];
  const { values, faults } = settings(lines);
  const plainValues = Object.entries(values ?? {}).map(([name, { value }]) => [name, value] as const);
  const body = bodyOf(text.slice(object.length).replace(/^[ \t\r]*\n/, ''));
  return { values: flat(Object.fromEntries(plainValues), lines), faults, body };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of the object at the start of a text; `null`: it has none. */
function endOfObject(text: string): number | null {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (mark === '{') depth += 1;
    else if (mark === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

/** The settings of groups stand beside the others; one that would be taken for another keeps the name of its group. */
function flat(values: Readonly<Record<string, unknown>>, lines: readonly string[]): Record<string, SourceValue> {
  const all = new Map(Object.entries(values));
  for (const group of GROUPS) {
    const own = all.get(group);
    if (typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    all.delete(group);
    for (const [name, value] of Object.entries(own)) {
      all.set(OWN_MEANING.has(name) || all.has(name) ? `${group}.${name}` : name, value);
    }
  }
  return Object.fromEntries([...all].map(([name, value]) => [name, { value, line: lineOf(name, lines) }]));
}

/** The first line that sets the name, else the first one of all. */
function lineOf(name: string, lines: readonly string[]): number {
  const own = name.slice(name.lastIndexOf('.') + 1);
  const found = lines.findIndex((line) => {
    const [key = ''] = line.trimStart().split(/\s*[=:]/, 1);
    return key === own || key === JSON.stringify(own);
  });
  return Math.max(found, 0) + 1;
}

function limitOf(lines: readonly string[]): string | null {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (length > MAX_LENGTH) return `The front matter has more than ${MAX_LENGTH} characters.`;
  return isDeep(lines) ? `The front matter is nested deeper than ${MAX_DEPTH} levels.` : null;
}

/**
 * Indents the further lines of a quoted value. YAML demands it, but the programs that made these files did not, and
 * to the value it makes no difference.
 */
function indented(lines: readonly string[]): string[] {
  let quote: '"' | "'" | null = null;
  return lines.map((line) => {
    if (quote !== null) {
      if (CLOSING[quote].test(line)) quote = null;
      return ` ${line}`;
    }
    if (OPEN_QUOTE.test(line)) quote = /:[ \t]+"/.test(line) ? '"' : "'";
    return line;
  });
}

function refused(message: string, line: number): Settings {
  return { values: {}, faults: [{ line, message }] };
}

/** The body as an export writes it: behind one empty line, and before one line end. */
function bodyOf(rest: string): string {
  return rest.replace(/^\n/, '').replace(/\n$/, '');
}

/** @param given lines of the file, from its first one on */
function settings(given: readonly string[]): Settings {
  const limit = limitOf(given);
  if (limit !== null) return refused(limit, 1);
  const yaml = indented(given).join('\n');
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(yaml, { lineCounter, prettyErrors: false, logLevel: 'error' });
    if (document.errors.length > 0) {
      return { values: {}, faults: document.errors.slice(0, MAX_FAULTS).map((error) => faultOf(error, lineCounter)) };
    }
    if (document.contents === null) return { values: {}, faults: [] };
    if (!isMap(document.contents))
      return refused('The front matter must be a map of names and values, such as "title: Hello".', 2);
    return { values: valuesOf(document, document.contents, lineCounter), faults: [] };
  } catch (error) {
    // Too many aliases.
    return refused(`The front matter cannot be read: ${firstLine(error)}.`, 1);
  }
}

/** By its brackets, whether they are meant as such or not. Levels that are indented would not fit into the length. */
function isDeep(lines: readonly string[]): boolean {
  let depth = 0;
  for (const mark of lines.join('\n').matchAll(/[[\]{}]/g)) {
    depth = mark[0] === '[' || mark[0] === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return lines.some((line) => DEEP_LIST.test(line));
}

function valuesOf(document: Document, { items }: YAMLMap, lineCounter: LineCounter): Record<string, SourceValue> {
  keepAsWritten(document);
  const plain = document.toJS() as Record<string, unknown>;
  const lines = new Map(
    items.map(({ key }) => {
      const { range, value } = key as { range?: readonly number[]; value?: unknown };
      return [String(value), lineCounter.linePos(range?.[0] ?? 0).line];
    }),
  );
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [name, { value, line: lines.get(name) ?? 1 }]),
  );
}

/**
 * Numbers and flags stay texts if JavaScript would write them otherwise: `1.10`, `007`, `True`. Within a map of a
 * setting, which only JSON can take, those do whose digits would change: `9007199254740993`, `007`.
 */
function keepAsWritten(document: Document): void {
  visit(document, {
    Scalar: (_, node, path) => {
      const { value, source } = node;
      if ((typeof value !== 'number' && typeof value !== 'boolean') || source === undefined) return;
      const isWithin = path.filter(isMap).length > 1;
      const isChanged = typeof value === 'number' && (!isExact(source) || /^[-+]?0\d/.test(source));
      if (isWithin ? isChanged : String(value) !== source) node.value = source;
    },
  });
}

function faultOf({ code, message, pos }: YAMLParseError, lines: LineCounter): Fault {
  const reason =
    code === 'BLOCK_AS_IMPLICIT_KEY' ? 'a value that has ": " in it has to stand in quotes' : firstLine(message);
  return { line: lines.linePos(pos[0]).line, message: `The front matter is not valid YAML: ${reason}.` };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}
