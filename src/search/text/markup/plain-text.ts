import { Tokenizer } from 'htmlparser2';

const BREAKING = new Set(
  (
    'address article aside blockquote br caption dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
const INVISIBLE = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object']);
/** A `<` that opens no tag: `a < b`, `a <b`, and the Markdown links `<https://example.com>` and `<me@example.com>`. */
const LITERAL_LESS_THAN =
  /<(?!!--|!\[CDATA\[|[!?][a-zA-Z]|\/?[a-zA-Z][^<]*>)|<(?=[a-zA-Z][a-zA-Z+.-]{0,30}:\/\/|mailto:|[^\s<>@/]{1,64}@)/g;
/** All space that is more, or something else, than the one blank that most words have between them. */
const WIDE_SPACE = / \s+|[^\S ]\s*/g;

/** A text of a record. */
export interface TextPart {
  readonly text: string;
  /** True if it is Markdown or HTML. */
  readonly isMarked: boolean;
}

/** The parts as a reader sees them, one below the other. */
export function readable(parts: readonly TextPart[]): string {
  const texts: string[] = [];
  for (const { text, isMarked } of parts) texts.push(isMarked ? plainText(text) : text);
  return texts.join('\n').trim();
}

/**
 * Text that a reader sees of a body in Markdown or HTML: no tags, scripts, comments or marks, code as it stands. Takes time
 * in proportion to the length, whatever the body looks like.
 *
 * `'# Hello *world*, see [this](/here)'` -> `'Hello world, see this'`
 */
export function plainText(body: string): string {
  let text = body;
  for (const [sign, step] of STEPS) if (sign.test(text)) text = step(text);
  return text.replace(WIDE_SPACE, (space) => (space.includes('\n') ? '\n' : ' ')).trim();
}

const ignore = () => undefined;
const NO_CALLBACKS = {
  onattribend: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  onopentagend: ignore,
  onend: ignore,
};

/**
 * The text of HTML. It reads tokens and builds no tree, because closing a tag that was never opened takes a tree as
 * long as it is deep.
 */
class VisibleText {
  readonly #parts: string[] = [];
  #hiddenBy = '';
  #isAlt = false;
  #tag = '';

  private readonly html: string;

  constructor(html: string) {
    this.html = html.replace(LITERAL_LESS_THAN, '&lt;');
  }

  read(): string {
    const tokenizer = new Tokenizer({ decodeEntities: true }, this.#callbacks());
    tokenizer.write(this.html);
    tokenizer.end();
    return this.#parts.join('');
  }

  #callbacks(): ConstructorParameters<typeof Tokenizer>[1] {
    const add = (start: number, end: number) => {
      this.#add(this.html.slice(start, end));
    };
    return {
      ...NO_CALLBACKS,
      ontext: add,
      ontextentity: (code) => {
        this.#add(String.fromCodePoint(code));
      },
      oncdata: (start, end, endOffset) => {
        add(start, end - endOffset);
      },
      onopentagname: (start, end) => {
        this.#open(this.#name(start, end));
      },
      onclosetag: (start, end) => {
        this.#close(this.#name(start, end));
      },
      onattribname: (start, end) => {
        this.#isAlt = this.#tag === 'img' && this.#name(start, end) === 'alt';
      },
      onattribdata: (start, end) => {
        if (this.#isAlt) add(start, end);
      },
      onattribentity: (code) => {
        if (this.#isAlt) this.#add(String.fromCodePoint(code));
      },
    };
  }

  #name(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }

  #open(tag: string): void {
    this.#tag = tag;
    if (BREAKING.has(tag)) this.#add('\n');
    if (this.#hiddenBy === '' && INVISIBLE.has(tag)) this.#hiddenBy = tag;
  }

  #close(tag: string): void {
    if (tag === this.#hiddenBy) this.#hiddenBy = '';
    if (BREAKING.has(tag)) this.#add('\n');
  }

  #add(text: string): void {
    if (this.#hiddenBy === '') this.#parts.push(text);
  }
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const CODE_SPAN = /`[^`\n]+`/g;
const LINK = /!?\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)/g;
const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+/gm;
const QUOTED_LINE = /^[ \t]{0,3}(?:>[ \t]?)+/gm;
/** The line below the head of a table. */
const TABLE_RULE = /^[ \t]*[-:|][-:| \t]*$/;
const CELL_EDGE = /(?<!\\)\|/g;
const LIST_MARK = /^[ \t]*[-*+][ \t]+/gm;
const RULE = /^[ \t]*(?:[-*_=|:][ \t]*){3,}$/gm;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const EMPHASIS = /[*_~]+/g;
const WORD = /[\p{L}\p{N}]/u;

/** The body with the code of Markdown made safe from being read as HTML, and without the lines that fence it. */
function withProtectedCode(body: string): string {
  let fence = '';
  const lines = body.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') {
      fence = mark;
      return mark === '' ? line.replace(CODE_SPAN, escaped) : '';
    }
    if (!mark.startsWith(fence)) return escaped(line);
    fence = '';
    return '';
  });
  return lines.join('\n');
}

function escaped(code: string): string {
  return code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Cells without the bars between them. A table is known by the line below its head, and ends before a line without a bar. */
function withoutTables(text: string): string {
  const lines = text.split('\n');
  const isRule = (line = '') => line.includes('|') && line.includes('-') && TABLE_RULE.test(line);
  let isTable = false;
  const cleared = lines.map((line, n) => {
    isTable = line.includes('|') && (isTable || isRule(lines[n + 1]));
    if (!isTable) return line;
    return isRule(line) ? '' : line.replace(CELL_EDGE, ' ');
  });
  return cleared.join('\n');
}

/** Marks go from the edges of words. Within a word, as in `snake_case` or `2*3`, they are text. */
function withoutEmphasis(marks: string, at: number, text: string): string {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + marks.length)];
  const isWithin = WORD.test(before) && WORD.test(after);
  const isApart = before.trim() === '' && after.trim() === '';
  return isWithin || isApart || before === '\\' ? marks : '';
}

/**
 * Steps that make readable text of a body, each with signs without which it changes nothing. Most texts have few of them,
 * and to see that takes a fraction of the time of the step.
 */
const STEPS: readonly (readonly [sign: RegExp, step: (text: string) => string])[] = [
  [/[`~]/, withProtectedCode],
  [/[<&]/, (html) => new VisibleText(html).read()],
  [/\|/, withoutTables],
  // Twice: an image may stand in a link.
  [/\]\(/, (text) => text.replace(LINK, '$1').replace(LINK, '$1')],
  [/[-*_=|:](?:[ \t]*[-*_=|:]){2}/, (text) => text.replace(RULE, '')],
  [/#/, (text) => text.replace(HEADING, '')],
  [/>/, (text) => text.replace(QUOTED_LINE, '')],
  [/[-*+][ \t]/, (text) => text.replace(LIST_MARK, '')],
  [/`/, (text) => text.replaceAll('`', '')],
  [/[*_~]/, (text) => text.replace(EMPHASIS, withoutEmphasis)],
  [/\\/, (text) => text.replace(ESCAPED, '$1')],
];
