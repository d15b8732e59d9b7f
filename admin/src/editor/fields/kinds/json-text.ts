import { words } from '../../../words.js';
import { isExact, type Reading } from './reading.js';

const t = words.editor.fields.json;

/** Levels that a value may have at the service. */
const MOST_LEVELS = 32;
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /[a-zA-Z_$][\w$]*/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/** A place in a text that is no JSON, and what is wrong there. */
class JsonFault extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** A value as a text that people can read. */
export function jsonText(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Reads JSON. Nothing at all is no value. */
export function readJson(text: string): Reading {
  if (text.trim() === '') return { value: null };
  try {
    new JsonCheck(text).run();
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { line, column } = placeOf(text, error.at);
    return { fault: t.at(line, column, error.message) };
  }
}

/** Line and column of a place in a text, each from 1 on. */
function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Finds the first place at which a text is no JSON that the service keeps as it is: engines differ in what they tell. */
class JsonCheck {
  private at = 0;

  constructor(private readonly text: string) {}

  run(): void {
    this.value(0);
    this.blank();
    if (this.at < this.text.length) this.fail(t.surplus);
  }

  private value(level: number): void {
    this.blank();
    const next = this.text[this.at];
    if (next === '{' || next === '[') this.nested(next, level);
    else if (next === '"') this.string();
    else if (next !== undefined && /[-\d]/.test(next)) this.number();
    else this.word();
  }

  private nested(start: '{' | '[', level: number): void {
    if (level === MOST_LEVELS) this.fail(t.tooDeep(MOST_LEVELS));
    const names = new Set<string>();
    if (start === '{') this.items('}', () => this.member(level + 1, names));
    else this.items(']', () => this.value(level + 1));
  }

  /** Reads the items between two brackets. */
  private items(end: '}' | ']', item: () => void): void {
    this.at += 1;
    this.blank();
    if (this.took(end)) return;
    do {
      this.blank();
      if (this.text[this.at] === end) this.fail(t.trailingComma);
      item();
      this.blank();
    } while (this.took(','));
    if (!this.took(end)) this.fail(this.at >= this.text.length ? t.unclosed(end) : t.commaOr(end));
  }

  /** @param names those of the members before it */
  private member(level: number, names: Set<string>): void {
    const start = this.at;
    if (this.text[start] !== '"') this.fail(t.nameInQuotes);
    this.string();
    const name = JSON.parse(this.text.slice(start, this.at)) as string; // a text in quotes
    if (names.has(name)) this.fail(t.twice(name), start);
    names.add(name);
    this.blank();
    if (!this.took(':')) this.fail(t.colon);
    this.value(level);
  }

  private string(): void {
    if (this.match(TEXT) === '') this.fail(t.badText);
  }

  private number(): void {
    const start = this.at;
    const number = this.match(NUMBER);
    const isWhole = number !== '' && !/[\w.]/.test(this.text[this.at] ?? '');
    if (!isWhole) this.fail(t.badNumber, start);
    if (!Number.isFinite(Number(number))) this.fail(t.tooLarge, start);
    if (!isExact(number)) this.fail(t.tooManyDigits, start);
  }

  private word(): void {
    const start = this.at;
    const word = this.match(WORD);
    if (['true', 'false', 'null'].includes(word)) return;
    if (word !== '') this.fail(t.quotes(word), start);
    this.fail(this.at >= this.text.length ? t.missing : t.noValue(this.text[this.at] ?? ''), start);
  }

  private blank(): void {
    this.match(SPACE);
  }

  private took(sign: string): boolean {
    const isThere = this.text[this.at] === sign;
    if (isThere) this.at += 1;
    return isThere;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  private fail(message: string, at = this.at): never {
    throw new JsonFault(at, message);
  }
}
