import { ownTurn } from '../../../common/concurrency/own-turn.js';
import { Scanner, toTerm, withoutPadding, type Token, type TokenKind } from '../markup/scanner.js';

/** Only ever between a text and the joined forms behind it, so that no phrase reaches from one to the other. */
const GAP = '___';

/**
 * By so many terms a text is found; what follows is not. A megabyte of words of two letters has 330,000: only letters that
 * stand for whole sentences (`ﷺ`) have more.
 */
const MOST_TERMS = 340_000;

/**
 * So many of them may differ; others behind them are left out. A megabyte of English has 10,000. The full-text index of
 * SQLite sorts and writes those of a text at once, a thousand within a millisecond.
 */
const MOST_DIFFERENT_TERMS = 50_000;

/** They take up to 20 milliseconds. */
const CHARACTERS_PER_TURN = 32_768;

/** `'Čas & Práce'` -> `cas`, `prace`; `'検索'` -> `検索_`, `索__`; `'C++'` -> `c_p_p`. In the order of the text. */
export function analyze(text: string): Token[] {
  const tokens: Token[] = [];
  new Scanner(text, (term, start, end, kind) => {
    tokens.push({ term, start, end, kind });
  }).scan();
  return tokens;
}

/**
 * The terms of a text as one string for a full-text column: the running text, then the joined forms of words with an
 * apostrophe or a hyphen (`oreilly`, `email`), so that phrases stay adjacent.
 */
export function indexText(text: string): string {
  const { scanner, running } = runningTerms(text);
  scanner.scan();
  return running.text();
}

/** {@link indexText} of a text that may be long: others get their turns of the event loop between its pieces. */
export async function indexLongText(text: string): Promise<string> {
  const { scanner, running } = runningTerms(text);
  while (!scanner.scan(CHARACTERS_PER_TURN)) await ownTurn();
  return running.text();
}

function runningTerms(text: string): { readonly scanner: Scanner; readonly running: RunningTerms } {
  const running = new RunningTerms();
  const scanner = new Scanner(text, (term, _start, _end, kind) => {
    running.add(term, kind);
  });
  return { scanner, running };
}

/** The terms of a text one after the other, without tokens for them: a text of a megabyte has a million. */
class RunningTerms {
  readonly #terms: string[] = [];
  readonly #forms: string[] = [];
  readonly #different = new DifferentTerms();
  #last = '';
  /** The joined form of the last terms, as long as something ties them. */
  #form = '';

  add(term: string, kind: TokenKind): void {
    if (this.#terms.length === MOST_TERMS) return;
    if (kind === 'joined') this.#form = (this.#form || withoutPadding(this.#last)) + withoutPadding(term);
    else if (this.#form !== '') this.#closeForm();
    if (this.#different.take(term)) this.#terms.push(term);
    else if (this.#terms.at(-1) !== GAP) this.#terms.push(GAP);
    this.#last = term;
  }

  text(): string {
    if (this.#form !== '') this.#closeForm();
    return this.#terms.concat(this.#forms).join(' ');
  }

  #closeForm(): void {
    const form = toTerm(this.#form);
    if (this.#different.take(form)) this.#forms.push(GAP, form);
    this.#form = '';
  }
}

/** The terms that a text has had so far, compared only once there may be too many of them. */
class DifferentTerms {
  #taken: string[] = [];
  #different: Set<string> | undefined;

  /** Tells whether a term is one of the first that differ. */
  take(term: string): boolean {
    if (this.#taken.length < MOST_DIFFERENT_TERMS) {
      this.#taken.push(term);
      return true;
    }
    this.#different ??= new Set(this.#taken);
    if (this.#different.size < MOST_DIFFERENT_TERMS) this.#different.add(term);
    return this.#different.has(term);
  }
}

/** `O'Reilly` as the one word `oreilly`, for every word of the text with an apostrophe, a hyphen or the `v` of a version. */
export function joinedForms(tokens: readonly Token[]): Token[] {
  const forms: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i + 1]?.kind !== 'joined') continue;
    const parts = [tokens[i]];
    while (tokens[i + 1]?.kind === 'joined') parts.push(tokens[++i]);
    const form = joinedForm(parts.filter((part) => part !== undefined));
    if (form) forms.push(form);
  }
  return forms;
}

function joinedForm(parts: readonly Token[]): Token | null {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || parts.length === 1) return null;
  const term = toTerm(parts.map((part) => withoutPadding(part.term)).join(''));
  return { term, start: first.start, end: last.end, kind: 'word' };
}
