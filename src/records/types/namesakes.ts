import { ownTurn } from '../../common/concurrency/own-turn.js';
import type { Reader } from '../../database/statements/reads.js';

/** Rows of the index of slugs that are read together. */
const BATCH = 1_000;

interface Row {
  readonly slug: string;
  readonly locale: string;
}

/**
 * How many records of a type have a slug that another one of them has, in another locale then. Reads the index of slugs
 * in its order, some at a time, with turns for others in between.
 */
export async function countNamesakes(reader: Reader, typeId: number): Promise<number> {
  let last: Row = { slug: '', locale: '' };
  let [found, alike] = [0, 0];
  for (;;) {
    const rows = await reader.select<Row>(
      `SELECT slug, locale FROM records WHERE type_id = ? AND slug >= ? AND (slug > ? OR locale > ?)
        ORDER BY slug, locale LIMIT ${BATCH}`,
      [typeId, last.slug, last.slug, last.locale],
    );
    for (const row of rows) {
      alike = row.slug === last.slug ? alike + 1 : 1;
      // The second one makes two of the first one, too.
      if (alike > 1) found += alike === 2 ? 2 : 1;
      last = row;
    }
    if (rows.length < BATCH) return found;
    await ownTurn();
  }
}
