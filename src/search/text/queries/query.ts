import { analyze, joinedForms } from '../analysis/analyzer.js';
import { toTerm, withoutPadding, type Token } from '../markup/scanner.js';

/** A condition for a record: it has a word, words side by side, or one of several such. */
export type Clause = TermClause | PhraseClause | { readonly kind: 'any'; readonly alternatives: readonly Clause[] };

export interface TermClause {
  readonly kind: 'term';
  readonly term: string;
  /** Any word that begins with the term will do. */
  readonly isPrefix: boolean;
}

export interface PhraseClause {
  readonly kind: 'phrase';
  readonly terms: readonly string[];
  /** Any word that begins with the last term will do in its place. */
  readonly isPrefix: boolean;
}

/** All clauses must match, and none of the excluded ones. */
export interface SearchQuery {
  readonly clauses: readonly Clause[];
  readonly excluded: readonly Clause[];
  /** Nothing is asked for, so nothing matches. */
  readonly isEmpty: boolean;
}

interface Item {
  readonly text: string;
  readonly isExcluded: boolean;
  readonly isQuoted: boolean;
}

const QUOTE = '["\u201C\u201D\u201E\u201F\u00AB\u00BB\u300C-\u300F\uFF02]';
const NOT_QUOTE = QUOTE.replace('[', '[^');
const ITEM = new RegExp(`(-?)${QUOTE}(${NOT_QUOTE}*)${QUOTE}|${NOT_QUOTE.replace(']', '\\s]')}+`, 'gu');
/** `--force` is a word; only one dash excludes. */
const EXCLUDED = /^-(?!-)/;
const SYMBOL_WORD = /_(?:s|p_p)$/;

/**
 * `'wi-fi "state of the art" -draft sto'`: the words `wi` and `fi` side by side or the word `wifi`, the phrase, nothing with `draft`, and
 * a word that begins with `sto`: the last word is not expected to be complete.
 */
export function parseQuery(q: string): SearchQuery {
  const items = readItems(q);
  const last = items.at(-1);
  const toClauses = (isExcluded: boolean) =>
    withoutRepeats(items.filter((item) => item.isExcluded === isExcluded).map((item) => toClause(item, item === last)));
  const clauses = toClauses(false);
  return { clauses, excluded: toClauses(true), isEmpty: clauses.length === 0 };
}

function readItems(q: string): Item[] {
  return Array.from(q.matchAll(ITEM), ([all, dash, quoted]) =>
    quoted === undefined
      ? { text: all.replace(EXCLUDED, ''), isExcluded: EXCLUDED.test(all), isQuoted: false }
      : { text: quoted, isExcluded: dash === '-', isQuoted: true },
  ).filter(({ text }) => analyze(text).length > 0);
}

function toClause({ text, isExcluded, isQuoted }: Item, isLast: boolean): Clause {
  const tokens = analyze(text);
  const mayGrow = isLast && !isExcluded && !isQuoted;
  const clause = fromTokens(tokens, mayGrow);
  const other = otherSpelling(tokens);
  return other ? { kind: 'any', alternatives: [clause, fromTokens(other, mayGrow)] } : clause;
}

/** `email` for `e-mail`, `20.11.1` for `v20.11.1`; `null`: there is none. */
function otherSpelling(tokens: readonly Token[]): readonly Token[] | null {
  const [first, ...others] = tokens;
  if (others.length > 0 && others.every(({ kind }) => kind === 'joined')) return joinedForms(tokens);
  const isVersion = others.length > 1 && first?.term === toTerm('v') && first.end === others[0]?.start;
  return isVersion ? others : null;
}

function fromTokens(tokens: readonly Token[], mayGrow: boolean): Clause {
  const needed = withoutLastTail(tokens);
  const last = needed.at(-1);
  const isPrefix = last !== undefined && isBeginning(last, mayGrow);
  const terms = needed.map((token) => (isPrefix && token === last ? withoutPadding(token.term) : token.term));
  const [term = ''] = terms;
  return terms.length === 1 ? { kind: 'term', term, isPrefix } : { kind: 'phrase', terms, isPrefix };
}

/** The text that is searched may go on where a run of the query ends, so the pair before says all there is to say. */
function withoutLastTail(tokens: readonly Token[]): readonly Token[] {
  const isLastOfRun = tokens.at(-1)?.kind === 'tail' && tokens.at(-2)?.kind === 'pair';
  return isLastOfRun ? tokens.slice(0, -1) : tokens;
}

/** A character alone begins the pair with whatever follows it. */
function isBeginning({ term, kind }: Token, mayGrow: boolean): boolean {
  if (kind === 'tail') return true;
  return mayGrow && kind !== 'pair' && !SYMBOL_WORD.test(term);
}

function withoutRepeats(clauses: readonly Clause[]): Clause[] {
  return [...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values()];
}
