import { isMap, LineCounter, parseDocument, visit, type Document, type YAMLMap, type YAMLParseError } from 'yaml';
import { isExact } from '../../../common/text/exact-numbers.js';
import type { SourceValue } from '../import-entry.js';
import { endOfObject, jsonSettings, tomlSettings, UnreadableSettingsError } from '../plain-settings.js';

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
/** A few aliases are honest; a bomb needs thousands of them. */
const MAX_ALIASES = 100;
/** One bracket that is missing makes every line after it wrong. */
const MAX_FAULTS = 10;
/** The parser goes down by calling itself, and beyond some hundred levels it takes the process with it. */
const MAX_DEPTH = 64;
const DEEP_LIST = new RegExp(`^[ \\t]*(?:[-?][ \\t]+){${MAX_DEPTH}}`);
const FENCE = '---';
/** A quoted value that does not end on its line. */
const OPEN_QUOTE = /^[^\s#"'][^"'\n]*?:[ \t]+(?:"(?:[^"\\]|\\.)*|'[^']*)$/;
const CLOSING = { '"': /^(?:[^"\\]|\\.)*"/, "'": /^(?:[^']|'')*'(?!')/ } as const;
const END = /^(?:---|\.\.\.)\s*$/;

/** Takes a text apart: front matter, which empty lines may stand before, and body. */
export function frontMatter(text: string): FrontMatter {
  const [before = ''] = /^(?:[ \t\r]*\n)+/.exec(text) ?? [];
  const found = takenApart(text.slice(before.length));
  if (found.values === null) return { ...found, body: bodyOf(text) };
  const lower = <Placed extends { line: number }>(one: Placed) => ({
    ...one,
    line: one.line + before.split('\n').length - 1,
  });
  const values = Object.entries(found.values).map(([name, value]) => [name, lower(value)] as const);
  return { ...found, values: Object.fromEntries(values), faults: found.faults.map(lower) };
}

function takenApart(text: string): FrontMatter {
  if (/^\+\+\+[ \t\r]*\n/.test(text)) return toml(text);
  if (/^\{\s*"/.test(text)) return json(text);
  const lines = text.split('\n');
  if (lines[0]?.trimEnd() !== FENCE) return { values: null, body: '', faults: [] };
  const end = lines.findIndex((line, index) => index > 0 && END.test(line));
  if (end === -1) return refused('The front matter that begins with --- has no second --- at its end.', 1);
  return { ...settings(lines.slice(1, end)), body: bodyOf(lines.slice(end + 1).join('\n')) };
}

function toml(text: string): FrontMatter {
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^\+\+\+\s*$/.test(line));
  if (end === -1) return refused('The front matter that begins with +++ has no second +++ at its end.', 1);
  const given = lines.slice(1, end);
  const read = plainSettings(given, 1, (one) => tomlSettings(one, MAX_DEPTH));
  return { ...read, body: bodyOf(lines.slice(end + 1).join('\n')) };
}

function json(text: string): FrontMatter {
  const end = endOfObject(text.slice(0, MAX_LENGTH));
  if (end === null) return refused('The front matter that begins with { has no } at its end.', 1);
  return {
    ...plainSettings(text.slice(0, end).split('\n'), 0, jsonSettings),
    body: bodyOf(text.slice(end).replace(/^[ \t\r]*\n/, '')),
  };
}

/** @param before lines of the file that stand before them */
function plainSettings(
  lines: readonly string[],
  before: number,
  parse: (text: string) => Readonly<Record<string, unknown>>,
): Pick<FrontMatter, 'values' | 'faults'> {
  const limit = limitOf(lines);
  if (limit !== null) return refused(limit, 1);
  try {
    const entries = Object.entries(parse(lines.join('\n')));
    return {
      values: Object.fromEntries(entries.map(([name, value]) => [name, { value, line: lineOf(name, lines) + before }])),
      faults: [],
    };
  } catch (error) {
    if (!(error instanceof UnreadableSettingsError)) throw error;
    return refused(error.message, error.line + before);
  }
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

function refused(message: string, line: number): FrontMatter {
  return { values: {}, body: '', faults: [{ line, message }] };
}

/** The body as an export writes it: behind one empty line, and before one line end. */
function bodyOf(rest: string): string {
  return rest.replace(/^\n/, '').replace(/\n$/, '');
}

/** Lines are those of the whole file, in which `---` is the first one. */
function settings(given: readonly string[]): Pick<FrontMatter, 'values' | 'faults'> {
  const fault = (message: string, line = 1) => ({ values: {}, faults: [{ line, message }] });
  const limit = limitOf(given);
  if (limit !== null) return fault(limit);
  const yaml = indented(given).join('\n');
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(yaml, { lineCounter, prettyErrors: false, logLevel: 'error' });
    if (document.errors.length > 0) {
      return { values: {}, faults: document.errors.slice(0, MAX_FAULTS).map((error) => faultOf(error, lineCounter)) };
    }
    if (document.contents === null) return { values: {}, faults: [] };
    if (!isMap(document.contents))
      return fault('The front matter must be a map of names and values, such as "title: Hello".', 2);
    return { values: valuesOf(document, document.contents, lineCounter), faults: [] };
  } catch (error) {
    // Too many aliases.
    return fault(`The front matter cannot be read: ${firstLine(error)}.`);
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
  const plain = document.toJS({ maxAliasCount: MAX_ALIASES }) as Record<string, unknown>;
  const lines = new Map(
    items.map(({ key }) => {
      const { range, value } = key as { range?: readonly number[]; value?: unknown };
      return [String(value), lineCounter.linePos(range?.[0] ?? 0).line + 1];
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
  return { line: lines.linePos(pos[0]).line + 1, message: `The front matter is not valid YAML: ${reason}.` };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}
