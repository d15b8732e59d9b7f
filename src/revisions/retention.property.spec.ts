import fc from 'fast-check';
import { expired } from './retention.js';

/** Histories of so many revisions. */
const history = fc
  .array(fc.constantFrom('draft', 'published', 'archived'), { maxLength: 60 })
  .map((all) => all.map((status, index) => ({ ts: index + 1, status })));
const limit = fc.integer({ min: 1, max: 30 });

describe('Retention', () => {
  it('keeps the newest ones and the last published one, and no other', () => {
    fc.assert(
      fc.property(history, limit, (all, keep) => {
        const dropped = new Set(expired(all, keep));
        const left = all.filter(({ ts }) => !dropped.has(ts));

        const published = all.findLast(({ status }) => status === 'published');
        expect(left).toEqual(all.filter((one, at) => at >= all.length - keep || one === published));
      }),
    );
  });

  it('finds nothing more to drop the second time', () => {
    fc.assert(
      fc.property(history, limit, (all, keep) => {
        const dropped = new Set(expired(all, keep));
        const left = all.filter(({ ts }) => !dropped.has(ts));

        expect(expired(left, keep)).toEqual([]);
      }),
    );
  });
});
