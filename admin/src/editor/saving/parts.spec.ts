import type { ContentRecord } from '../../model.js';
import { bodyOf, partOf, withTermParts } from './parts.js';

describe('Terms of a record', () => {
  it('are parts of their own: ids, and names of tags that are not made yet', () => {
    const record = { id: 1, terms: { tag: [{ id: 7, name: 'Moon' }], category: [] } } as unknown as ContentRecord;
    const draft = { version: 1, changed: [], new_terms: { tag: ['Night sky'] } };

    expect(withTermParts(record, draft)).toMatchObject({ 'terms.tag': [7, 'Night sky'], 'terms.category': [] });
  });

  it('are sent as the service takes them', () => {
    expect(bodyOf({ title: 'A', 'terms.tag': [7, 'new'] })).toEqual({ title: 'A', terms: { tag: [7, 'new'] } });
    expect(bodyOf({ title: 'A' })).toEqual({ title: 'A' });
  });

  it.each([
    ['terms.tag.0', 'terms.tag'],
    ['links.2', 'links'],
    ['title', 'title'],
  ])('have faults like any part: %s is about %s', (field, part) => {
    expect(partOf(field)).toBe(part);
  });
});
