import type { Opened } from '../editor/saving/working-copy.js';
import type { ContentType } from '../model.js';
import { copiedPart, formerPart, stateOf } from './copied-part.js';
import type { Change } from './history-queries.js';

const type = { fields: [{ name: 'summary' }], taxonomies: ['tag'] } as unknown as ContentType;
const change = (kind: Change['kind'], field: string, from: unknown): Change => ({ kind, field, from, to: null });
const opened = (changed: readonly string[], current: object): Opened =>
  ({ current, draft: changed.length === 0 ? null : { changed } }) as unknown as Opened;

describe('The older value of a change', () => {
  it.each([
    ['a title', change('built_in', 'title', 'Old'), { name: 'title', value: 'Old' }],
    ['a field', change('field', 'summary', 'Old'), { name: 'summary', value: 'Old' }],
    ['a field that had no value', change('field', 'summary', null), { name: 'summary', value: null }],
    ['terms', change('taxonomy', 'tag', [{ id: 4, name: 'Sea' }]), { name: 'terms.tag', value: [4] }],
  ])('is that of %s', (_, one, part) => {
    expect(copiedPart(type, one)).toEqual(part);
  });

  it.each([
    ['a status', change('built_in', 'status', 'draft')],
    ['a record that was not there', change('built_in', 'title', null)],
    ['a field that the type has lost', change('field', 'gone', 'Old')],
    ['a taxonomy that the type has lost', change('taxonomy', 'gone', [])],
  ])('is nothing for a working copy if it is that of %s', (_, one) => {
    expect(copiedPart(type, one)).toBeNull();
  });

  it('is there already, clashes with what is written, or has its place free', () => {
    const part = { name: 'title', value: 'Old' };

    expect(stateOf(opened([], { title: 'Old' }), part)).toBe('same');
    expect(stateOf(opened(['title'], { title: 'Written' }), part)).toBe('other');
    expect(stateOf(opened(['body'], { title: 'Live' }), part)).toBe('free');
    expect(stateOf(opened([], {}), { name: 'summary', value: null })).toBe('same');
  });

  it('makes way for the value before when it is taken back', () => {
    expect(formerPart(opened([], { title: 'Live' }), { name: 'title', value: 'Old' })).toEqual({
      name: 'title',
      value: 'Live',
    });
  });
});
