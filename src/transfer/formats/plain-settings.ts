import { parse, TomlError } from 'smol-toml';

/** What could not be read, in the words of its parser; the line counts from the first one of the settings. */
export class UnreadableSettingsError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Zola and Hugo keep settings of their own apart from those of a theme or a site. */
const GROUPS = ['taxonomies', 'extra', 'params'] as const;
/** In a group these say something about the theme, not about the text. */
const OWN_MEANING = new Set(
  'title slug status draft published private hidden password date created_at locale lang language key'.split(' '),
);

/** Texts and remarks as a whole, numbers and moments of TOML and JSON. */
const TOKENS =
  /"""(?:[^\\]|\\[^])*?"""+|'''[^]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*|(?<![\w.+-])[+-]?\d[\w.:+-]*(?: \d\d:[\w.:+-]+)?/g;
const STARTS_WITH_DIGIT = /^[+-]?\d/;
const TIME = /^(?:\d{4}-\d\d-\d\d|\d\d:)/;

/** @throws {UnreadableSettingsError} */
export function tomlSettings(text: string, maxDepth: number): Values {
  try {
    parse(text, { maxDepth });
    return flat(parse(asWritten(text), { maxDepth }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    throw new UnreadableSettingsError(`The front matter is not valid TOML: ${reason.replace(/\.$/, '')}.`, error.line);
  }
}

/** @throws {UnreadableSettingsError} */
export function jsonSettings(text: string): Values {
  try {
    JSON.parse(text);
    return flat(JSON.parse(asWritten(text)) as Values);
  } catch {
    throw new UnreadableSettingsError('The front matter that begins with { is not valid JSON.', 1);
  }
}

/** Where the object at the start of a text ends; `null`: it does not. */
export function endOfObject(text: string): number | null {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (mark === '{') depth += 1;
    else if (mark === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

/** The settings of groups stand beside the others; one that would be taken for another keeps the name of its group. */
function flat(values: Values): Values {
  const all = new Map(Object.entries(values));
  for (const group of GROUPS) {
    const own = all.get(group);
    if (typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    all.delete(group);
    for (const [name, value] of Object.entries(own)) {
      all.set(OWN_MEANING.has(name) || all.has(name) ? `${group}.${name}` : name, value);
    }
  }
  return Object.fromEntries(all);
}

/** Numbers and dates as they are written, as texts, where JavaScript would write them otherwise: `1.10`, `2024-02-30`. */
function asWritten(text: string): string {
  return text.replace(TOKENS, (token) => {
    if (!STARTS_WITH_DIGIT.test(token)) return token;
    const number = token.replaceAll('_', '');
    const isOtherwise = TIME.test(token) || !['NaN', number].includes(String(Number(number)));
    return isOtherwise ? `"${token}"` : token;
  });
}
