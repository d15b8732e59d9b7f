import { headerText } from './gateway-identity.js';

describe('The text of a header', () => {
  it.each(['Čtenáři', 'Presse, Zürich', 'staff', ''])('is UTF-8 where the gateway sends that: %s', (text) => {
    expect(headerText(Buffer.from(text, 'utf8').toString('latin1'))).toBe(text);
  });

  it('is Latin-1 where the bytes are no UTF-8', () => {
    expect(headerText('Zürich')).toBe('Zürich');
  });
});
