import fc from 'fast-check';
import { emailAddress, emailFault } from './email-address.js';

const keyOf = (text: string): string | undefined => emailAddress(text)?.key;

describe('E-mail addresses', () => {
  it('keep the spelling of the local part and have one key for all spellings', () => {
    expect(emailAddress('  Ann.Lee@Example.COM\n')).toEqual({
      address: 'Ann.Lee@example.com',
      key: 'ann.lee@example.com',
    });
  });

  it('have their domain in ASCII, however it was written', () => {
    expect(keyOf('ann@Bücher.example')).toBe('ann@xn--bcher-kva.example');
    expect(keyOf('ann@xn--bcher-kva.example')).toBe('ann@xn--bcher-kva.example');
    expect(keyOf('ann@example。com')).toBe('ann@example.com');
  });

  it.each([
    ['a Kelvin sign', '\u212aelvin@example.com'],
    ['a long s', '\u017fam@example.com'],
    ['an umlaut', 'jörg@example.com'],
    ['a full-width letter', '\uff41nn@example.com'],
    ['a zero-width space', 'an\u200bn@example.com'],
  ])('are refused with %s in the local part', (_, text) => {
    expect(emailAddress(text)).toBeNull();
  });

  it.each([
    ['a quoted local part', '"ann"@example.com'],
    ['a line break in quotes', '"a\r\nb"@example.com'],
    ['a line break in the domain', 'ann@example\r\n.com'],
    ['a NUL', 'ann\u0000@example.com'],
    ['a DEL', 'ann\u007f@example.com'],
    ['a blank', 'an n@example.com'],
    ['a second address', 'ann@example.com,bob@example.com'],
    ['a semicolon', 'ann;bob@example.com'],
    ['a display name', 'Ann <ann@example.com>'],
    ['a comment', 'ann(x)@example.com'],
    ['a backslash', 'a\\b@example.com'],
    ['a literal IP address', 'ann@[127.0.0.1]'],
    ['a bare IP address', 'ann@127.0.0.1'],
    ['an IP address in disguise', 'ann@0x7f.1'],
    ['an escaped domain', 'ann@ex%61mple.com'],
    ['a path', 'ann@example.com/x'],
    ['a port', 'ann@example.com:25'],
    ['a domain of one label', 'ann@localhost'],
    ['a dot at the end', 'ann@example.com.'],
    ['two dots', 'ann..lee@example.com'],
    ['a dot in front', '.ann@example.com'],
    ['two at signs', 'ann@bob@example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ann@'],
    ['no at sign', 'ann'],
    ['nothing', ''],
  ])('are refused with %s', (_, text) => {
    expect(emailAddress(text)).toBeNull();
  });

  it.each([
    ['jürgen@example.org', /^has characters outside of ASCII before the @/],
    ['δοκιμή@example.com', /^has characters outside of ASCII before the @/],
    ['jürgen', /^must be an e-mail address/],
    ['jürgen@x', /^must be an e-mail address/],
  ])('are refused with the reason: %s', (text, reason) => {
    expect(emailFault(text)).toMatch(reason);
  });

  it('have 254 characters at most, 64 of them before the at sign', () => {
    const domainOf = (length: number) => `${`${'d'.repeat(61)}.`.repeat(3)}${'d'.repeat(length - 190)}.com`;

    expect(emailAddress(`${'a'.repeat(64)}@example.com`)).not.toBeNull();
    expect(emailAddress(`${'a'.repeat(65)}@example.com`)).toBeNull();
    expect(emailAddress(`a@${domainOf(252)}`)?.address).toHaveLength(254);
    expect(emailAddress(`a@${domainOf(253)}`)).toBeNull();
  });

  it('stay what they are when read again, and never hold anything but printable ASCII', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 12 });
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
      fc.tuple(part, part, part).map(([local, domain, end]) => `${local}@${domain}.${end}`),
    );

    fc.assert(
      fc.property(texts, (text) => {
        const read = emailAddress(text);
        if (read === null) return;
        expect(read.address).toMatch(/^[\x21-\x7e]{3,254}$/);
        expect(read.address.split('@')).toHaveLength(2);
        expect(emailAddress(read.address)).toEqual(read);
        expect(emailAddress(read.key)).toEqual({ address: read.key, key: read.key });
      }),
      { numRuns: 2_000 },
    );
  });

  it('differ whenever their ASCII letters do', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.emailAddress(), (one, other) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(keyOf(one) === undefined || keyOf(one) !== keyOf(other)).toBe(true);
      }),
    );
  });
});
