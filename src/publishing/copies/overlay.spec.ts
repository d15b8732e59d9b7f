import fc from 'fast-check';
import { jsonObject } from '../../common/schema/json-object.js';
import { changedParts, isConflict, merged, NO_CHANGES, type Live, type Overlay, type Parts } from './overlay.js';

const KEYS = ['title', 'body', 'f_1', 'f_2', 'terms.tag'] as const;
const aValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'a', 'b', 0, 1, false),
  fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  fc.record({ id: fc.integer({ min: 1, max: 2 }), type: fc.constant('post') }),
);
const parts = fc.dictionary(fc.constantFrom(...KEYS), aValue);
const liveOf =
  (record: Parts): Live =>
  (key) =>
    record[key];
/** An overlay that was saved on one state of a record after another. */
const aHistory = fc.array(fc.tuple(parts, parts), { maxLength: 5 });
const overlayOf = (history: readonly (readonly [Parts, Parts])[]): Overlay =>
  history.reduce((overlay, [record, sent]) => merged(overlay, liveOf(record), sent), NO_CHANGES);

describe('An overlay', () => {
  it('holds what was sent last of each part, and what the record held then', () => {
    fc.assert(
      fc.property(aHistory, parts, parts, (history, record, sent) => {
        const before = overlayOf(history);
        const after = merged(before, liveOf(record), sent);

        for (const key of KEYS) {
          const isSent = Object.hasOwn(sent, key);
          const isChange = isSent && JSON.stringify(sent[key]) !== JSON.stringify(record[key] ?? null);
          const kept = isSent ? [undefined, undefined] : [before.changes[key], before.bases[key]];
          expect([after.changes[key], after.bases[key]]).toEqual(isChange ? [sent[key], record[key] ?? null] : kept);
        }
      }),
    );
  });

  it('is empty once each of its parts was sent as the record has it', () => {
    fc.assert(
      fc.property(aHistory, parts, (history, record) => {
        const before = overlayOf(history);
        const same = Object.fromEntries(Object.keys(before.changes).map((key) => [key, record[key] ?? null]));

        expect(merged(before, liveOf(record), same)).toEqual(NO_CHANGES);
      }),
    );
  });

  it('has no conflict on the record that it was saved on, and only with parts that were changed to something else', () => {
    fc.assert(
      fc.property(parts, parts, parts, (record, sent, later) => {
        const overlay = merged(NO_CHANGES, liveOf(record), sent);

        expect(changedParts(overlay, liveOf(record)).filter(isConflict)).toEqual([]);
        const conflicts = changedParts(overlay, liveOf({ ...record, ...later })).filter(isConflict);
        for (const { key, value, base, live } of conflicts) {
          expect([Object.hasOwn(sent, key), Object.hasOwn(later, key)]).toEqual([true, true]);
          expect(live).not.toEqual(base);
          expect(live).not.toEqual(value);
        }
      }),
    );
  });

  it('is no conflict any more with what is sent again', () => {
    fc.assert(
      fc.property(parts, parts, parts, (record, sent, later) => {
        const now = { ...record, ...later };
        const overlay = merged(merged(NO_CHANGES, liveOf(record), sent), liveOf(now), sent);

        expect(changedParts(overlay, liveOf(now)).filter(isConflict)).toEqual([]);
      }),
    );
  });

  it('is read as it was kept', () => {
    fc.assert(
      fc.property(aHistory, (history) => {
        const { changes, bases } = overlayOf(history);

        expect([changes, bases].map((kept) => jsonObject(JSON.stringify(kept)))).toEqual([changes, bases]);
      }),
    );
  });

  it.each(['', 'null', '[]', '7', '{', Buffer.from('{}')])('is not what %s holds', (text) => {
    expect(jsonObject(text)).toBeNull();
  });
});
