import { BREAK, piecesOf, piecesOfUnit, type Piece } from '../analysis/folding.js';

/**
 * - `word`: a word of its own; `joined`: a word that is tied to the one before (`Reilly` of `O'Reilly`, `mail` of `e-mail`, `20` of `v20`);
 * - `pair`: two neighbours of a text without spaces; `tail`: the last character of such a text.
 */
export type TokenKind = 'word' | 'joined' | 'pair' | 'tail';

/** A term of the index, and where in the text it stands (UTF-16 units, end not included). */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
}

/** A pile of marks is taken apart, because composing a long one takes time that grows with its square. */
const MAX_MARKS = 8;
const ATTACHED = /[\p{M}\uFF9E\uFF9F\u1160-\u11FF]/u;
const APOSTROPHES = new Set(Array.from("'\u2018\u2019\u02BC\uFF07\u00B4\u05F3\u05F4", (sign) => sign.charCodeAt(0)));
/** Hyphens tie words as apostrophes do, if one stands alone between two: `e-mail`, but not `here--there`. */
const TIES = new Set([...APOSTROPHES, ...Array.from('-\u2010\u2011', (sign) => sign.charCodeAt(0))]);
/** `v20`, of which `20` is a word as well. */
const VERSION = /^v\d+$/;
/** Signs that make another word of a letter: `C++`, `C++17` and `C#`, but neither `a++b` nor `a#b`. */
const SYMBOLS = /\+\+(?![\p{L}\p{M}_+])|#(?![\p{L}\p{M}\p{N}_#])/uy;

const BREAKS: readonly Piece[] = [BREAK];

/** A character of a text without spaces, and where it stands. */
interface Placed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Takes what a scanner finds: a term, where it stands, and what it is. A text has many, so they are no objects. */
export type TokenSink = (term: string, start: number, end: number, kind: TokenKind) => void;

/** Reads a text once, from its first character to its last, and hands its tokens to a {@link TokenSink}. */
export class Scanner {
  private at = 0;
  private word = '';
  private start = 0;
  private end = 0;
  private previous: Placed | null = null;
  /** The place at which the next word must begin to be tied to the one before by an apostrophe or a hyphen. */
  private tiedAt = -1;
  private isTied = false;

  constructor(
    private readonly text: string,
    private readonly sink: TokenSink,
  ) {}

  /**
   * @param most about so many characters are read
   * @returns whether the text has been read to its end
   */
  scan(most = Infinity): boolean {
    const end = Math.min(this.at + most, this.text.length);
    while (this.at < end) {
      const start = this.at;
      const code = this.text.charCodeAt(start);
      if (isAsciiWord(code)) this.readAsciiWord(start);
      else if (code < 128) this.readBreak(start, start + 1);
      else this.readCluster(start);
    }
    if (end < this.text.length) return false;
    this.closeWord();
    this.closeRun();
    return true;
  }

  private readAsciiWord(start: number): void {
    let end = start + 1;
    while (isAsciiWord(this.text.charCodeAt(end))) end++;
    const word = this.text.slice(start, end).toLowerCase();
    const next = this.text.charCodeAt(end);
    const isApart = this.word === '' && this.previous === null && this.tiedAt !== start;
    this.at = end;
    if (!isApart || end - start === 1 || !(next < 128) || TIES.has(next)) this.addWord(word, start, end);
    else {
      // The same as to add the word and then to read the break behind it, in a quarter of the time: so it is for most words.
      this.at = end + 1;
      this.tiedAt = -1;
      this.add(word, start, end, 'word');
    }
  }

  private readCluster(start: number): void {
    const end = clusterEnd(this.text, start);
    this.at = end;
    const pieces = this.piecesBetween(start, end);
    if (pieces.length === 0) this.readNothing(start, end);
    for (const piece of pieces) this.readPiece(piece, start, end);
  }

  private piecesBetween(start: number, end: number): readonly Piece[] {
    const code = this.text.charCodeAt(start);
    if (APOSTROPHES.has(code)) return BREAKS;
    return end === start + 1 ? piecesOfUnit(code) : piecesOf(this.text.slice(start, end));
  }

  private readPiece(piece: Piece, start: number, end: number): void {
    if (piece.kind === 'break') this.readBreak(start, end);
    else if (piece.kind === 'word') this.addWord(piece.text, start, end);
    else this.addToRun(piece.text, start, end);
  }

  /** A mark or a soft hyphen belongs to the word that it stands in. */
  private readNothing(start: number, end: number): void {
    if (this.word !== '') this.end = end;
    if (this.tiedAt === start) this.tiedAt = end;
  }

  private readBreak(start: number, end: number): void {
    this.at = end;
    const isTie = this.word !== '' && TIES.has(this.text.charCodeAt(start));
    this.readSymbols(start);
    this.closeWord();
    this.closeRun();
    this.tiedAt = isTie ? end : -1;
  }

  private readSymbols(start: number): void {
    if (this.word.length !== 1) return;
    SYMBOLS.lastIndex = start;
    const symbols = SYMBOLS.exec(this.text)?.[0];
    if (symbols === undefined) return;
    this.word += symbols === '#' ? '_s' : '_p_p';
    this.end = this.at = start + symbols.length;
  }

  private addWord(text: string, start: number, end: number): void {
    this.closeRun();
    if (this.word === '') {
      this.start = start;
      this.isTied = this.tiedAt === start;
    }
    if (this.word.length < MAX_TERM_LENGTH) this.word += text;
    this.end = end;
  }

  private addToRun(text: string, start: number, end: number): void {
    this.closeWord();
    const previous = this.previous;
    if (previous) this.add(previous.text + text, previous.start, end, 'pair');
    this.previous = { text, start, end };
  }

  private closeWord(): void {
    if (this.word === '') return;
    this.add(this.word, this.start, this.end, this.isTied ? 'joined' : 'word');
    this.word = '';
  }

  private closeRun(): void {
    const last = this.previous;
    if (last) this.add(last.text, last.start, last.end, 'tail');
    this.previous = null;
  }

  private add(word: string, start: number, end: number, kind: TokenKind): void {
    if (VERSION.test(word)) {
      this.sink(toTerm('v'), start, start + 1, kind);
      this.sink(toTerm(word.slice(1)), start + 1, end, 'joined');
    } else this.sink(toTerm(word), start, end, kind);
  }
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** The end of a character and of the marks that are written on it. */
function clusterEnd(text: string, start: number): number {
  let end = start + sizeAt(text, start);
  for (let marks = 0; marks < MAX_MARKS && isAttached(text, end); marks++) end += sizeAt(text, end);
  return end;
}

function sizeAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function isAttached(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  // Most text is of these three: Latin, and the scripts of East Asia.
  if (code < 0x300 || (code >= 0x309b && code < 0xa66f) || (code >= 0xac00 && code < 0xd800)) return false;
  return ATTACHED.test(String.fromCodePoint(code));
}

/** InnoDB drops words of more than 84 characters, so longer ones are found by their head. */
const MAX_TERM_LENGTH = 80;
/** InnoDB drops words shorter than this. No word has an underscore, so the padding cannot be mistaken for one. */
const PADDING = '___';
const UNDERSCORE = 0x5f;

/** A word as engines keep it: neither too long nor too short for any. `'st'` -> `'st_'` */
export function toTerm(word: string): string {
  if (word.length < PADDING.length) return word + PADDING.slice(word.length);
  return word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH) : word;
}

/** `'st_'` -> `'st'`, with which all words begin that begin so. */
export function withoutPadding(term: string): string {
  let end = term.length;
  while (term.charCodeAt(end - 1) === UNDERSCORE) end--;
  return term.slice(0, end);
}
