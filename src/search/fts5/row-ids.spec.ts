import { MAX_ID } from '../../common/text/names.js';
import { rowId } from './row-ids.js';

describe('Row ids of the index', () => {
  it('have room for every id that an import may bring, and for all that come after it', () => {
    expect(rowId(1, 'published', 4 * MAX_ID - 1)).not.toBe(rowId(1, 'published', 1));
  });

  it('are refused where they would be those of another record', () => {
    expect(() => rowId(1, 'published', 4 * MAX_ID)).toThrow('no room for a record 1099511627776');
    expect(() => rowId(2 ** 20, 'published', 1)).toThrow('no room for a type 1048576');
  });
});
