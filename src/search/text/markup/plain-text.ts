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
  return parts
    .map(({ text, isMarked }) => (isMarked ? plainText(text) : text))
    .join('\n')
    .trim();
}

/**
 * Text that a reader sees of a body in Markdown or HTML: no tags, scripts, comments or marks, code as it stands. Takes time
 * in proportion to the length, whatever the body looks like.
 */
export function plainText(body: string): string {
  return withoutMarkdown(visibleText(withProtectedCode(body)))
    .replace(WIDE_SPACE, (space) => (space.includes('\n') ? '\n' : ' '))
    .trim();
}

function visibleText(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return html;
  return new VisibleText(html.replace(LITERAL_LESS_THAN, '&lt;')).read();
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

  constructor(private readonly html: string) {}

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
const RULE_MARKS = /[-*_=|:](?:[ \t]*[-*_=|:]){2}/;
const LIST_MARKS = /[-*+][ \t]/;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const EMPHASIS = /[*_~]+/g;
const WORD = /[\p{L}\p{N}]/u;

/** The body with the code of Markdown made safe from being read as HTML, and without the lines that fence it. */
function withProtectedCode(body: string): string {
  if (!body.includes('`') && !body.includes('~')) return body;
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
  if (!text.includes('|')) return text;
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

/** `'# Hello *world*, see [this](/here)'` -> `'Hello world, see this'`. Every step takes linear time. */
function withoutMarkdown(text: string): string {
  return withoutLineMarks(withoutLinks(withoutTables(text)))
    .replaceAll('`', '')
    .replace(EMPHASIS, withoutEmphasis)
    .replace(ESCAPED, '$1');
}

function withoutLinks(text: string): string {
  if (!text.includes('](')) return text;
  return text.replace(LINK, '$1').replace(LINK, '$1'); // an image in a link
}

/** Most texts have none, and to see that takes a fraction of the time that looking at each line takes. */
function withoutLineMarks(text: string): string {
  const unruled = RULE_MARKS.test(text) ? text.replace(RULE, '') : text;
  const unheaded = unruled.includes('#') ? unruled.replace(HEADING, '') : unruled;
  const unquoted = unheaded.includes('>') ? unheaded.replace(QUOTED_LINE, '') : unheaded;
  return LIST_MARKS.test(unquoted) ? unquoted.replace(LIST_MARK, '') : unquoted;
}

/** Marks go from the edges of words. Within a word, as in `snake_case` or `2*3`, they are text. */
function withoutEmphasis(marks: string, at: number, text: string): string {
  const isWithin = WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at + marks.length));
  const isApart = isBlank(text.charAt(at - 1)) && isBlank(text.charAt(at + marks.length));
  const isEscaped = text.charAt(at - 1) === '\\';
  return isWithin || isApart || isEscaped ? marks : '';
}

function isBlank(character: string): boolean {
  return character.trim() === '';
}
