import type { ContentType } from '../../model.js';
import { allFaultsOf, faultOf, faultText, inOrder, itemOf, labelOf } from './faults.js';

const type = {
  taxonomies: ['tag'],
  fields: [
    { name: 'starts', label: 'Starts at', type: 'datetime', required: true },
    { name: 'links', label: 'Links', type: 'list', required: false },
  ],
} as unknown as ContentType;
const fault = (field: string, message = `${field} is required.`) => ({ field, rule: 'required', message });

describe('A fault', () => {
  it('speaks of a field as people call it', () => {
    expect(faultText(fault('starts'), labelOf(type, 'starts'))).toBe('Starts at is required.');
    expect(faultText(fault('links.1', 'links.1 must be an address.'), 'Links')).toBe(
      'Links, item 2 must be an address.',
    );
    expect(faultText(fault('links', 'Another record has it.'), 'Links')).toBe('Another record has it.');
    expect([labelOf(type, 'terms.tag'), labelOf(type, 'title')]).toEqual(['Tag', 'Title']);
  });

  it('is about an item where its path says so', () => {
    expect([itemOf('links.3'), itemOf('links'), itemOf('terms.tag.2'), itemOf('terms.tag')]).toEqual([
      3,
      null,
      2,
      null,
    ]);
  });

  it('of an item is said at the whole field if its items have no inputs', () => {
    const faults = [fault('terms.tag.1', 'terms.tag.1 must stand on one line.')];

    expect(allFaultsOf('Tag', faults)).toBe('Tag, item 2 must stand on one line.');
    expect(faultOf('Tag', faults)).toBeUndefined();
  });

  it('stands in the order of the form', () => {
    const faults = [fault('links.1'), fault('starts'), fault('terms.tag.0'), fault('title')];

    expect(inOrder(type, faults).map(({ field }) => field)).toEqual(['title', 'terms.tag.0', 'starts', 'links.1']);
  });
});
