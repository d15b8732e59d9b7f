/** SQLite joins at most 500 selects at one level. */
const SELECTS = 200;

/** The rows of all of some statements. */
export function unionAll(selects: readonly string[]): string {
  const groups: string[] = [];
  for (let start = 0; start < selects.length; start += SELECTS) {
    const group = selects.slice(start, start + SELECTS).join(' UNION ALL ');
    groups.push(selects.length > SELECTS ? `SELECT * FROM (${group})` : group);
  }
  return groups.join(' UNION ALL ');
}
