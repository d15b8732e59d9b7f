import { Reads } from '../../../database/statements/reads.js';
import { findLookAlikes } from '../../../records/look-alikes.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether records have addresses, and terms slugs, of their own: earlier releases let in some that are equal by now. */
export const lookAlikesCheck: Check<OpenDatabase> = {
  name: 'addresses',
  isDeep: true,
  async look({ source }) {
    const { count, examples } = await findLookAlikes(new Reads(source));
    if (count === 0) return [{ ok: true, message: 'no two records or terms have one address' }];
    const shown = count > examples.length ? `, of which the first ${examples.length} are named here` : '';
    const message = `${count} records or terms have the address of another one${shown}. Give one of each two another slug, or the records of a type {locale} in its url_path.`;
    return [
      { ok: false, message },
      ...examples.map(([one, other]) => ({ ok: false, message: `${one} has that of ${other}` })),
    ];
  },
};
