/** The candidate that a mistyped text most likely means; `null`: none is near. */
export function nearest(text: string, candidates: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(text.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, distance: distance(text, candidate) }))
    .filter((one) => one.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate ?? null;
}

/** How many letters have to be added, left out or changed (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const changed = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
