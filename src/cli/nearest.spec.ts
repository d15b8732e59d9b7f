import { nearest } from './nearest.js';

const NAMES = ['token create', 'token list', 'migrate', 'import', 'export'];

describe('The nearest name', () => {
  it.each([
    ['migrat', 'migrate'],
    ['imprt', 'import'],
    ['token lsit', 'token list'],
    ['token craete', 'token create'],
    ['nonsense', null],
    ['', null],
  ])('of "%s" is %s', (text, name) => {
    expect(nearest(text, NAMES)).toBe(name);
  });
});
