import type { Field, IndexedDocument, TextField } from './mapping.js';
import { membersOf, onlyMember, refuse, type Json } from './refusal.js';
import { scoreScript } from './similarity.js';

type Fields = ReadonlyMap<string, Field>;

/** The score of a document; `null`: it is not found. */
export type Matcher = (document: IndexedDocument) => number | null;

/** `indices.query.bool.max_clause_count`: of all queries within a query. */
const MOST_CLAUSES = 1_024;
const MOST_TERMS = 65_536;

/** Compiles a query, and refuses what OpenSearch would, and all that the double has not. */
export function compile(query: unknown, fields: Fields): Matcher {
  return new Compiler(fields).of(query, 1);
}

/** Where the words of a span stand in a text, and of which field its length and scores are. */
interface Span {
  readonly field: string;
  readonly words: number;
  readonly starts: (document: IndexedDocument) => readonly number[];
}

class Compiler {
  private clauses = 0;
  private readonly kinds: Readonly<Record<string, (body: unknown, boost: number) => Matcher>> = {
    bool: (body, boost) => this.bool(body, boost),
    term: (body, boost) => this.term(body, boost),
    terms: (body) => this.terms(body),
    exists: (body) => this.exists(body),
    match_phrase: (body, boost) => this.phrase(body, boost),
    constant_score: (body, boost) => this.constant(body, boost),
    script_score: (body, boost) => this.scripted(body, boost),
    span_near: (body, boost) => this.span(body, boost),
  };

  constructor(private readonly fields: Fields) {}

  of(query: unknown, boost: number): Matcher {
    const [kind, body] = onlyMember(query, 'query');
    const made = this.kinds[kind];
    return made ? made(body, boost) : refuse('parsing_exception', `unknown query [${kind}]`);
  }

  private bool(body: unknown, outer: number): Matcher {
    const known = ['must', 'filter', 'should', 'must_not', 'minimum_should_match', 'boost', 'adjust_pure_negative'];
    const { minimum_should_match: least, boost, ...lists } = membersOf(body, known, 'bool');
    const all = (name: string, own: number): Matcher[] =>
      [lists[name] ?? []].flat().map((query) => this.of(query, own));
    const factor = outer * ((boost as number | undefined) ?? 1);
    const [must, should] = [all('must', factor), all('should', factor)];
    const [filter, mustNot] = [all('filter', 0), all('must_not', 0)];
    const needed = (least as number | undefined) ?? (should.length > 0 && must.length + filter.length === 0 ? 1 : 0);
    return (document) => {
      if (filter.some((one) => one(document) === null) || mustNot.some((one) => one(document) !== null)) return null;
      const scores = must.map((one) => one(document));
      if (scores.includes(null)) return null;
      const others = should.map((one) => one(document)).filter((score) => score !== null);
      if (others.length < needed) return null;
      return Math.fround([...scores, ...others].reduce<number>((sum, score) => sum + (score ?? 0), 0));
    };
  }

  private term(body: unknown, outer: number): Matcher {
    this.count();
    const [name, value, boost] = valueOf(body, 'term', 'value');
    const field = this.field(name);
    const factor = outer * boost;
    if (field.kind !== 'text') return ({ values }) => (values.get(name) === value ? factor : null);
    return (document) =>
      scoreOf(field, name, document, document.texts.get(name)?.places.get(String(value))?.length, factor);
  }

  private terms(body: unknown): Matcher {
    this.count();
    const [name, list] = onlyMember(body, 'terms');
    if (!Array.isArray(list)) return refuse('parsing_exception', '[terms] query requires an array');
    if (list.length > MOST_TERMS)
      refuse('illegal_argument_exception', `The number of terms [${list.length}] is too large`);
    const wanted = new Set<unknown>(list);
    if (this.field(name).kind === 'text') refuse('parsing_exception', 'The double has [terms] for values only');
    return ({ values }) => (wanted.has(values.get(name)) ? 1 : null);
  }

  private exists(body: unknown): Matcher {
    this.count();
    const { field } = membersOf(body, ['field', 'boost'], 'exists');
    this.field(String(field));
    return ({ values }) => (values.has(String(field)) ? 1 : null);
  }

  private phrase(body: unknown, outer: number): Matcher {
    this.count();
    const [name, text, boost] = valueOf(body, 'match_phrase', 'query', ['analyzer', 'slop', 'zero_terms_query']);
    const field = this.text(name);
    const found = field.search(String(text)).places;
    // In the order of the words; one that comes again stands at several places.
    const words = [...found].flatMap(([word, places]) => places.map((place) => ({ word, place })));
    words.sort((a, b) => a.place - b.place);
    const starts = ({ texts }: IndexedDocument): readonly number[] =>
      follow(words.map(({ word }) => texts.get(name)?.places.get(word) ?? []));
    return this.scoredSpan({ field: name, words: words.length, starts }, outer * boost);
  }

  private span(body: unknown, outer: number): Matcher {
    return this.scoredSpan(this.near(body), outer * Number((body as Json).boost ?? 1));
  }

  private near(body: unknown): Span {
    const {
      clauses,
      slop,
      in_order: isInOrder,
    } = membersOf(body, ['clauses', 'slop', 'in_order', 'boost'], 'span_near');
    if (slop !== 0 || isInOrder !== true) refuse('parsing_exception', 'The double has [span_near] without gaps only');
    const spans = (clauses as unknown[]).map((clause) => this.spanOf(clause));
    const [field = '', other] = [...new Set(spans.map((span) => span.field))];
    if (other !== undefined) refuse('illegal_argument_exception', 'Clauses must have same field.');
    return {
      field,
      words: spans.reduce((sum, { words }) => sum + words, 0),
      starts: (document) => follow(spans.map(({ starts }) => starts(document))),
    };
  }

  private spanOf(query: unknown): Span {
    const [kind, body] = onlyMember(query, 'span');
    if (kind === 'span_term') {
      this.count();
      const [name, value] = valueOf(body, kind, 'value');
      this.text(name);
      return { field: name, words: 1, starts: ({ texts }) => texts.get(name)?.places.get(String(value)) ?? [] };
    }
    if (kind !== 'field_masking_span') return refuse('parsing_exception', `[${kind}] is no span of the double`);
    const { query: inner, field } = membersOf(body, ['query', 'field', 'boost'], kind);
    this.text(String(field));
    return { ...this.spanOf(inner), field: String(field) };
  }

  /** As Lucene has it: the score of each word of the span, with how often the whole of it stands there. */
  private scoredSpan({ field: name, words, starts }: Span, boost: number): Matcher {
    const field = this.text(name);
    return (document) => {
      const one = scoreOf(field, name, document, starts(document).length, boost);
      return one === null ? null : Math.fround(one * words);
    };
  }

  private constant(body: unknown, outer: number): Matcher {
    const { filter, boost } = membersOf(body, ['filter', 'boost'], 'constant_score');
    const found = this.of(filter, 0);
    const score = outer * ((boost as number | undefined) ?? 1);
    return (document) => (found(document) === null ? null : score);
  }

  private scripted(body: unknown, outer: number): Matcher {
    const { query, script, boost } = membersOf(body, ['query', 'script', 'boost', 'min_score'], 'script_score');
    const [found, run] = [this.of(query, 1), scoreScript(script)];
    const factor = outer * ((boost as number | undefined) ?? 1);
    return (document) => {
      const score = found(document);
      return score === null ? null : Math.fround(run(score) * factor);
    };
  }

  private text(name: string): TextField {
    const field = this.field(name);
    return field.kind === 'text' ? field : refuse('parsing_exception', `[${name}] is no text`);
  }

  /** OpenSearch finds nothing by a field that is not there; here that is a mistake. */
  private field(name: string): Field {
    return this.fields.get(name) ?? refuse('parsing_exception', `no field [${name}]`);
  }

  private count(): void {
    this.clauses += 1;
    if (this.clauses > MOST_CLAUSES)
      refuse(
        'too_many_nested_clauses',
        `Query contains too many nested clauses; maxClauseCount is set to ${MOST_CLAUSES}`,
      );
  }
}

/** `{"title": {"value": "word", "boost": 2}}` */
function valueOf(body: unknown, kind: string, member: string, more: readonly string[] = []): [string, unknown, number] {
  const [name, inner] = onlyMember(body, kind);
  const own = typeof inner === 'object' ? inner : { [member]: inner };
  const { [member]: value, boost = 1 } = membersOf(own, [member, 'boost', 'case_insensitive', ...more], kind);
  if (typeof value !== 'string' && typeof value !== 'number')
    return refuse('parsing_exception', `[${kind}] needs [${member}]`);
  return [name, value, Number(boost)];
}

function scoreOf(
  field: TextField,
  name: string,
  { texts }: IndexedDocument,
  freq: number | undefined,
  boost: number,
): number | null {
  return freq === undefined || freq === 0 ? null : field.score(boost, freq, texts.get(name)?.length ?? 0);
}

/** Places at which all words stand one behind the other. */
function follow([first = [], ...others]: readonly (readonly number[])[]): readonly number[] {
  return first.filter((start) => others.every((places, n) => places.includes(start + n + 1)));
}
