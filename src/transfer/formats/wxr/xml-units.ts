import { Parser } from 'htmlparser2';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { fileText, UnreadableFileError } from '../file-text.js';

/** An element with what is in it, cut out of a document that is too large to be held. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Line of its start. */
  readonly line: number;
  readonly children: Element[];
  text: string;
}

const MAX_DEPTH = 64;
/** The place of the elements that are handed out whole. */
const CHANNEL = ['rss', 'channel'];
/** More characters than any record can hold, comments and all. */
const MAX_LENGTH = 32_000_000;
/** Characters that XML forbids, as such and as numbers. WordPress exports both as they came into a text. */
const FORBIDDEN =
  /[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|&#(?:x0*(?:[0-8bcef]|1[\da-f])|0*(?:[0-8]|1[124-9]|2\d|3[01]));/gi;
const REPLACEMENT = '\uFFFD';

/**
 * The elements in the channel of a feed, one after the other. Characters that XML forbids are replaced by U+FFFD.
 *
 * @param onReplaced is called with the line of each of them
 * @throws {UnreadableFileError} for what is not well-formed, and for document types: they are how XML is made to read files
 *   and to grow without end
 */
export async function* xmlUnits(path: string, onReplaced: (line: number) => void): AsyncGenerator<Element> {
  const cutter = new Cutter(onReplaced);
  try {
    for await (const piece of fileText(path)) {
      cutter.write(piece);
      yield* cutter.taken();
    }
    cutter.end();
  } finally {
    // What was whole before a fault is not lost with it.
    yield* cutter.taken();
  }
}

class Cutter {
  private readonly parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  private readonly open: Element[] = [];
  private done: Element[] = [];
  /** The line on which the tag began that is being read. */
  private startLine = 1;
  private length = 0;

  constructor(private readonly onReplaced: (line: number) => void) {
    const { parser } = this;
    parser.on('error', ({ message }) => this.fail(`is not well-formed XML from here on: ${sentence(message)}`));
    parser.on('doctype', () =>
      this.fail('has a document type (<!DOCTYPE), which is refused. An export of WordPress has none.'),
    );
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^utf-?(?:8|16)$/i.test(encoding)) {
        this.fail(`says that it is in ${encoding}. Save it as UTF-8, and say so in its first line.`);
      }
    });
    parser.on('opentagstart', () => (this.startLine = parser.line));
    parser.on('opentag', (tag) => {
      this.enter(tag);
    });
    parser.on('closetag', () => {
      this.leave();
    });
    parser.on('text', (text) => {
      this.add(text);
    });
    parser.on('cdata', (text) => {
      this.add(text);
    });
  }

  write(piece: string): void {
    const { line } = this.parser;
    const allowed = piece.replace(FORBIDDEN, (_, at: number) => {
      this.onReplaced(line + piece.slice(0, at).split('\n').length - 1);
      return REPLACEMENT;
    });
    this.parser.write(allowed);
  }

  end(): void {
    this.parser.close();
  }

  /** Elements that were completed since the last time. */
  taken(): Element[] {
    const { done } = this;
    this.done = [];
    return done;
  }

  private enter({ name, attributes }: SaxesTagPlain): void {
    const depth = this.open.length;
    if (depth === MAX_DEPTH) this.fail(`is nested deeper than ${MAX_DEPTH} elements.`);
    const expected = CHANNEL[depth];
    if (expected !== undefined && name !== expected) {
      this.fail(
        `has <${name}> where <${expected}> belongs, so it is no export of WordPress. Make one under Tools, Export.`,
      );
    }
    this.open.push({ name, attributes, line: this.startLine, children: [], text: '' });
  }

  private leave(): void {
    const element = this.open.pop();
    const depth = this.open.length;
    if (!element || depth < CHANNEL.length) return;
    if (depth > CHANNEL.length) this.open.at(-1)?.children.push(element);
    else {
      this.done.push(element);
      this.length = 0;
    }
  }

  private add(text: string): void {
    if (this.open.length <= CHANNEL.length) return;
    this.length += text.length;
    if (this.length > MAX_LENGTH) this.fail(`has an element of more than ${MAX_LENGTH} characters.`);
    const element = this.open.at(-1);
    if (element) element.text += text;
  }

  private fail(message: string): never {
    throw new UnreadableFileError(message, this.parser.line);
  }
}

/** `3:14: unclosed tag: item.` -> `unclosed tag: item.` */
function sentence(message: string): string {
  return `${message.replace(/^(?:[^\s:]*:)?\d+:\d+:\s*/, '').replace(/\.$/, '')}.`;
}

/** The text of the child of this name; empty where there is none. */
export function textOf({ children }: Element, name: string): string {
  return children.find((child) => child.name === name)?.text.trim() ?? '';
}

/** {@link textOf} where WordPress keeps a plain text as HTML: its entities are decoded, and tags stay what they are. */
export function plainTextOf(element: Element, name: string): string {
  return withoutEntities(textOf(element, name));
}

/** `Q &amp; A &#8211; part 1` -> `Q & A – part 1` */
export function withoutEntities(html: string): string {
  const parts: string[] = [];
  const parser = new Parser({ ontext: (part) => parts.push(part) });
  parser.end(html.replaceAll('<', '&lt;'));
  return parts.join('').replace(FORBIDDEN, REPLACEMENT);
}
