import { isMailAddress } from './mail-address.js';

describe('isMailAddress', () => {
  it.each([
    'ann@example.com',
    'no-reply@localhost',
    "o'neil+news@sub.example.co.uk",
    'jörg@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.com`,
  ])('takes %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no mailbox', '@example.com'],
    ['no domain', 'ann@'],
    ['no @', 'ann.example.com'],
    ['a line break', 'ann@example.com\r\nBcc: eve@example.com'],
    ['a line break in quotes', '"a\r\nb"@example.com'],
    ['a second address', 'ann@example.com,eve@example.com'],
    ['two @', 'ann@eve@example.com'],
    ['a name', 'Ann <ann@example.com>'],
    ['a space', 'ann @example.com'],
    ['a space that takes no place', 'ann\u200b@example.com'],
    ['an empty part of the domain', 'ann@example..com'],
    ['a domain outside of ASCII', 'ann@bücher.example'],
    ['65 characters before the @', `${'a'.repeat(65)}@example.com`],
    ['a part of 64 characters', `a@${'b'.repeat(64)}.com`],
    ['255 characters', `${'a'.repeat(60)}@${'b.'.repeat(95)}comm`],
  ])('refuses %s', (_, text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});
