import { signInSearch } from './sign-in-search.js';

describe('signInSearch', () => {
  it('goes on at an address of the console', () => {
    expect(signInSearch({ to: '/content/post?page=2' }).to).toBe('/content/post?page=2');
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 7, ''])(
    'goes nowhere else: %s',
    (to) => {
      expect(signInSearch({ to }).to).toBeUndefined();
    },
  );
});
