import type { SearchQuery } from './query.js';
import { findSpans, rawSpans, type Range, type Span } from '../markup/spans.js';

/** The spans within one length that answer the most parts of the query; of several such, the first. */
function bestCluster(spans: readonly Span[], length: number): Range {
  let best = { start: 0, end: 0, parts: 0 };
  const counts = new Map<number, number>();
  let from = 0;
  for (const span of spans) {
    counts.set(span.needle, (counts.get(span.needle) ?? 0) + 1);
    while (span.end - startOf(spans, from) > length && spans[from] !== span) forget(counts, spans[from++]);
    if (counts.size > best.parts) best = { start: startOf(spans, from), end: span.end, parts: counts.size };
  }
  return best;
}

function startOf(spans: readonly Span[], index: number): number {
  return spans[index]?.start ?? 0;
}

function forget(counts: Map<number, number>, span: Span | undefined): void {
  if (!span) return;
  const left = (counts.get(span.needle) ?? 0) - 1;
  if (left > 0) counts.set(span.needle, left);
  else counts.delete(span.needle);
}

/** About so many characters of the text are an excerpt, marks and ellipses not counted. */
const LENGTH = 200;
/** Long texts are read piece by piece, and no further than to the first piece with a match. */
const PIECE = 32_768;
/** So much of a text without a match is read: the words of a hit may stand in its title alone. */
const MOST_READ = 8 * PIECE;
/** So much of a text on both sides of a place is looked at with everything that makes two spellings one word. */
const AROUND = 240;
/** Longest way that a cut may move to fall between two words. */
const MARGIN = 30;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The whole text as HTML, with `<mark>` around what was searched for. For titles. */
export function highlight(text: string, query: SearchQuery): string {
  return marked(text, { start: 0, end: text.length }, findSpans(text, query));
}

/** The part of a text that answers the query best, as HTML with `<mark>` around the matches; else its beginning. */
export function excerpt(text: string, query: SearchQuery, length = LENGTH): string {
  const spans = firstSpans(text, query, length);
  const range = cutAtWords(text, rangeAround(text, bestCluster(spans, length), length), spans);
  const html = marked(text, range, spans).trim();
  return `${range.start > 0 ? '…' : ''}${html}${range.end < text.length ? '…' : ''}`;
}

/** Most words stand in a text as they were typed: those are found without cutting all of it into words. */
function firstSpans(text: string, query: SearchQuery, length: number): Span[] {
  const typed = rawSpans(text, query);
  if (typed.length > 0) {
    const spans = spansWithin(text, around(text, bestCluster(typed, length)), query);
    if (spans.length > 0) return spans;
  }
  for (let start = 0; start < Math.min(text.length, MOST_READ);) {
    const end = pieceEnd(text, start);
    const spans = spansWithin(text, { start, end }, query);
    if (spans.length > 0) return spans;
    start = end;
  }
  return [];
}

function spansWithin(text: string, { start, end }: Range, query: SearchQuery): Span[] {
  const spans = findSpans(text.slice(start, end), query);
  return spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
}

/** A range with what stands around it, from blank to blank, so that no word is cut. */
function around(text: string, { start, end }: Range): Range {
  const from = start < AROUND ? 0 : text.indexOf(' ', start - AROUND);
  const to = end + AROUND > text.length ? text.length : text.lastIndexOf(' ', end + AROUND);
  return { start: from < 0 ? start : Math.min(start, from), end: Math.max(end, to) };
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return space > start + PIECE / 2 ? space : wholeCharacter(text, end);
}

function rangeAround(text: string, { start, end }: Range, length: number): Range {
  const spare = Math.max(0, length - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(spare / 2), text.length - length));
  const to = Math.min(text.length, from + length);
  return { start: wholeCharacter(text, from), end: wholeCharacter(text, to) };
}

/** The range made a little shorter where that spares a word, but no match. */
function cutAtWords(text: string, range: Range, spans: readonly Span[]): Range {
  const inside = spans.filter((span) => span.start >= range.start && span.end <= range.end);
  const firstMatch = inside[0]?.start ?? range.end;
  const lastMatch = inside.at(-1)?.end ?? range.start;
  return { start: wordStart(text, range.start, firstMatch), end: wordEnd(text, range.end, lastMatch) };
}

function wordStart(text: string, start: number, most: number): number {
  const space = text.slice(start, Math.min(start + MARGIN, most)).search(/\s/);
  return start === 0 || space < 0 ? start : start + space + 1;
}

function wordEnd(text: string, end: number, least: number): number {
  const from = Math.max(end - MARGIN, least);
  const space = text.slice(from, end).search(/\s\S*$/);
  return end === text.length || space < 0 ? end : from + space;
}

function marked(text: string, range: Range, spans: readonly Span[]): string {
  let html = '';
  let at = range.start;
  for (const { start, end } of merged(spans, range)) {
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escaped(text.slice(at, range.end));
}

/** The parts of the spans that lie in a range, with those that touch as one. */
function merged(spans: readonly Span[], range: Range): Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const span of spans) {
    const [start, end] = [Math.max(span.start, range.start), Math.min(span.end, range.end)];
    const last = ranges.at(-1);
    if (start >= end) continue;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** The place itself, or one before it where it lies within a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
