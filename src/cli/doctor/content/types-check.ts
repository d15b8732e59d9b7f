import { damagedOptions } from '../../../content-types/store/stored-options.js';
import { Reads } from '../../../database/statements/reads.js';
import type { Check, OpenDatabase } from '../check.js';

/** Whether the definitions of all content types can be read. */
export const typesCheck: Check<OpenDatabase> = {
  name: 'types',
  async look({ source }) {
    const faults = await damagedOptions(new Reads(source));
    if (faults.length === 0) return [{ ok: true, message: 'the definitions of all content types can be read' }];
    return faults.map((message) => ({ ok: false, message }));
  },
};
