import { ownTurn } from '../../../common/concurrency/own-turn.js';
import { Scanner, toTerm, withoutPadding, type Token } from '../markup/scanner.js';

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
 * apostrophe or a hyphen (`oreilly`, `email`), so that phrases stay adjacent. They are gathered without tokens, since a text of
 * a megabyte has a million; others get their turns of the event loop between its pieces.
 */
export async function indexText(text: string): Promise<string> {
  const terms: string[] = [];
  const forms: string[] = [];
  const isTaken = firstThatDiffer();
  let last = '';
  /** The joined form of the last terms, as long as something ties them. */
  let form = '';
  const closeForm = (): void => {
    const whole = toTerm(form);
    if (isTaken(whole)) forms.push(GAP, whole);
    form = '';
  };
  const scanner = new Scanner(text, (term, _start, _end, kind) => {
    if (terms.length === MOST_TERMS) return;
    if (kind === 'joined') form = (form || withoutPadding(last)) + withoutPadding(term);
    else if (form !== '') closeForm();
    if (isTaken(term)) terms.push(term);
    else if (terms.at(-1) !== GAP) terms.push(GAP);
    last = term;
  });
  while (!scanner.scan(CHARACTERS_PER_TURN)) await ownTurn();
  if (form !== '') closeForm();
  return terms.concat(forms).join(' ');
}

/** Tells of each term whether it is one of the first that differ: compared only once there may be too many of them. */
function firstThatDiffer(): (term: string) => boolean {
  const taken: string[] = [];
  let different: Set<string> | undefined;
  return (term) => {
    if (taken.length < MOST_DIFFERENT_TERMS) {
      taken.push(term);
      return true;
    }
    different ??= new Set(taken);
    if (different.size < MOST_DIFFERENT_TERMS) different.add(term);
    return different.has(term);
  };
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
