import type { Field } from '../../../model.js';
import { linesOf, readItems, textsOf, valueIndexOf } from './list-texts.js';

const item = (type: string): Field => ({ name: 'sizes', type, label: 'Sizes', required: false });

const whole = { label: 'Sizes', known: [] };

describe('A list that is typed', () => {
  it('has those items that have a text', () => {
    expect(readItems(['1', '', '2,5'], item('number'), whole)).toEqual({ value: [1, 2.5] });
    expect(readItems(['', ''], item('string'), whole)).toEqual({ value: null });
    expect(textsOf([true, false], item('boolean'))).toEqual(['true', 'false']);
  });

  it('has addresses without blanks around them', () => {
    expect(readItems([' https://a.example '], item('url'), whole)).toEqual({ value: ['https://a.example'] });
    expect(readItems(['a@example.org '], item('email'), whole)).toEqual({ value: ['a@example.org'] });
  });

  it('says which item is none', () => {
    expect(readItems(['1', 'x'], item('integer'), whole).fault).toBe('Sizes, item 2: This must be a number.');
  });

  it('knows which row is meant by an item of the value', () => {
    expect([0, 1, 2].map((at) => valueIndexOf(['a', '', 'b'], at))).toEqual([0, 1, 1]);
  });

  it('takes each line of a pasted text', () => {
    expect(linesOf('a\r\n\n b \n')).toEqual(['a', 'b']);
  });
});
