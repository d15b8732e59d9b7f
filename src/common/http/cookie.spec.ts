import { cookieOf } from './cookie.js';

const LONGEST = 'x'.repeat(4_096);

describe('cookieOf', () => {
  it.each([
    ['one', 'token=abc', 'abc'],
    ['one among others', 'a=1;token=abc; b=2', 'abc'],
    ['one with an equals sign in it', 'token=abc==', 'abc=='],
    ['one that is encoded, as it is', 'token=%61', '%61'],
    ['one that is empty', 'token=', ''],
    ['the longest that browsers keep', `token=${LONGEST}`, LONGEST],
  ])('finds %s', (_, header, value) => {
    expect(cookieOf(header, 'token')).toBe(value);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a name that only begins or ends like it', 'tokens=1; my_token=2'],
    ['another case', 'Token=abc'],
    ['no value', 'token'],
    ['a name that begins with what a browser takes for a part of it', '\u00a0token=abc'],
    ['one that no browser would keep', `token=${LONGEST}x`],
  ])('finds none in %s', (_, header) => {
    expect(cookieOf(header, 'token')).toBeNull();
  });

  it.each(['token=ours; token=theirs', 'token=theirs; a=1; token=ours', 'token=; token=ours'])(
    'takes neither of two that have the name: %s',
    (header) => {
      expect(cookieOf(header, 'token')).toBeNull();
    },
  );

  it('finds the one of that name beside one whose name begins with a no-break space', () => {
    expect(cookieOf('a=1; \u00a0token=theirs;\ttoken=ours \u00a0; \ufefftoken=others', 'token')).toBe('ours \u00a0');
  });
});
