import fc from 'fast-check';
import { expired, type Kept } from './retention.service.js';

/** Histories as they are written: each revision is a keyframe or leans on the last one. */
const history = fc
  .array(fc.record({ isKeyframe: fc.boolean(), status: fc.constantFrom('draft', 'published', 'archived') }), {
    maxLength: 60,
  })
  .map((all) => {
    let keyframe: number | null = null;
    return all.map(({ isKeyframe, status }, index): Kept => {
      if (isKeyframe || keyframe === null) {
        keyframe = index + 1;
        return { ts: index + 1, baseTs: null, status };
      }
      return { ts: index + 1, baseTs: keyframe, status };
    });
  });

describe('Retention', () => {
  it('keeps the newest ones, the last published one, and whatever these lean on', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 30 }), (all, keep) => {
        const dropped = new Set(expired(all, keep));
        const left = all.filter(({ ts }) => !dropped.has(ts));

        expect(left.slice(-keep)).toEqual(all.slice(-keep));
        expect(left.findLast(({ status }) => status === 'published')).toEqual(
          all.findLast(({ status }) => status === 'published'),
        );
        for (const { baseTs } of left) if (baseTs !== null) expect(left.map(({ ts }) => ts)).toContain(baseTs);
      }),
    );
  });

  it('keeps no more than two keyframes and the last published one beyond that', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 30 }), (all, keep) => {
        expect(all.length - expired(all, keep).length).toBeLessThanOrEqual(Math.min(all.length, keep + 3));
      }),
    );
  });

  it('finds nothing more to drop the second time', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 30 }), (all, keep) => {
        const dropped = new Set(expired(all, keep));

        expect(
          expired(
            all.filter(({ ts }) => !dropped.has(ts)),
            keep,
          ),
        ).toEqual([]);
      }),
    );
  });
});
