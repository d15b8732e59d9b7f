import type { Block } from './documented-steps.js';

/** Stands for anything: within a text, as a member for other members, at the end of a list for further items. */
const ANYTHING = '…';

/**
 * What another run answers otherwise, by its form; both sides are read so. Everything else has to be as the document
 * says: ids of records, slugs, versions and totals are the same in every fresh demo.
 */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b[0-9a-f]{32}\b/g, '<session>'],
  [/\bcmsr?_[\w-]*…?/g, '<token>'],
  [/\beyJ[\w.-]*…?/g, '<jwt>'],
  [/"ts": ?\d{13}|\b\d{13}\b/g, '<ts>'],
];
/** Members whose values differ from run to run without a form of their own. */
const VOLATILE_MEMBERS: readonly string[] = ['next_cursor', 'took_ms'];
/** Numbers from here on are moments in milliseconds. */
const FIRST_MOMENT = 1e12;

/** How what a step has printed differs from the answer in the document: one sentence for each place; none: it does not. */
export function differences({ language, text }: Block, output: string): string[] {
  if (language === 'json') return jsonDifferences(text, output);
  if (language === 'http') return httpDifferences(text, output);
  return isLike(text.trimEnd(), output.trimEnd()) ? [] : [`printed ${output.trimEnd()}`];
}

function jsonDifferences(text: string, output: string): string[] {
  const [said, printed] = [parsed(text), parsed(output)];
  if (said === undefined) return ['the document has no JSON here'];
  return printed === undefined ? [`printed ${output}`] : valueDifferences(said, printed, '$');
}

/** `undefined`: the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function valueDifferences(said: unknown, printed: unknown, path: string): string[] {
  if (said === ANYTHING) return [];
  if (Array.isArray(said) && Array.isArray(printed)) return listDifferences(said, printed, path);
  if (isObject(said) && isObject(printed)) return objectDifferences(said, printed, path);
  return isSameLeaf(said, printed) ? [] : [`${path} is ${JSON.stringify(printed)}, not ${JSON.stringify(said)}`];
}

function listDifferences(said: readonly unknown[], printed: readonly unknown[], path: string): string[] {
  const hasMore = said.at(-1) === ANYTHING;
  const shown = hasMore ? said.slice(0, -1) : said;
  if (printed.length < shown.length || (!hasMore && printed.length > shown.length))
    return [`${path} has ${printed.length} items, not ${shown.length}`];
  return shown.flatMap((item, index) => valueDifferences(item, printed[index], `${path}[${index}]`));
}

type Members = Readonly<Record<string, unknown>>;

function objectDifferences(said: Members, printed: Members, path: string): string[] {
  const isPart = ANYTHING in said;
  const unsaid = Object.keys(printed).filter((name) => !(name in said) && !isPart);
  return [
    ...unsaid.map((name) => `${path}.${name} is not in the document`),
    ...Object.entries(said)
      .filter(([name]) => name !== ANYTHING)
      .flatMap(([name, value]) => memberDifferences(name, value, printed, `${path}.${name}`)),
  ];
}

function memberDifferences(name: string, said: unknown, printed: Members, path: string): string[] {
  if (!(name in printed)) return [`${path} is missing`];
  const value = printed[name];
  if (VOLATILE_MEMBERS.includes(name) && typeof said === typeof value) return [];
  return valueDifferences(said, value, path);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSameLeaf(said: unknown, printed: unknown): boolean {
  if (typeof said === 'string' && typeof printed === 'string') return isLike(said, printed);
  if (typeof said === 'number' && typeof printed === 'number' && said >= FIRST_MOMENT) return printed >= FIRST_MOMENT;
  return said === printed;
}

function httpDifferences(text: string, output: string): string[] {
  const [said, printed] = [message(text), message(output)];
  const isPart = said.head.includes(ANYTHING);
  const lines = said.head.filter((line) => line !== ANYTHING);
  const missing = lines.filter((line) => !printed.head.some((found) => isLike(line, found)));
  if (missing.length > 0) return missing.map((line) => `"${line}" is not in ${printed.head.join(' | ')}`);
  if (!isPart && printed.head.length > lines.length) return [`has more headers: ${printed.head.join(' | ')}`];
  if (said.body === '') return printed.body === '' ? [] : [`has a body: ${printed.body}`];
  return jsonDifferences(said.body, printed.body);
}

/** The status line and headers, and what follows the first empty line. */
function message(text: string): { readonly head: readonly string[]; readonly body: string } {
  const [head = '', ...body] = text.replaceAll('\r\n', '\n').trim().split('\n\n');
  return { head: head.split('\n'), body: body.join('\n\n') };
}

function isLike(said: string, printed: string): boolean {
  const pieces = withoutVolatile(said).split(ANYTHING).map(escaped);
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(withoutVolatile(printed));
}

function withoutVolatile(text: string): string {
  return VOLATILE.reduce((left, [form, name]) => left.replace(form, name), text);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
