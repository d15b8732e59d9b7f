import { Tokenizer } from 'htmlparser2';
import { withoutMarkdown, withProtectedCode } from './markdown.js';

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

/**
 * What a reader sees of a body in Markdown or HTML: no tags, scripts, comments or marks, code as it stands. Takes time
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
