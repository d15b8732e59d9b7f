import type { Range, Span } from '../markup/spans.js';

/** The spans within one length that answer the most parts of the query; of several such, the first. */
export function bestCluster(spans: readonly Span[], length: number): Range {
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
