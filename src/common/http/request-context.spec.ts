import fc from 'fast-check';
import { requestId } from './request-context.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Request ids', () => {
  it('are those of the client where they are made of letters, digits and what base64 and UUIDs need', () => {
    for (const id of ['a', 'x'.repeat(128), '00-4bf92f-01', 'Root=1-67:a_b.c', 'aGk+/w=='])
      expect(requestId(id)).toBe(id);
  });

  it.each([
    undefined,
    '',
    ' ',
    'a b',
    'x'.repeat(129),
    'a\nb',
    'é',
    '\u007f',
    '"}',
    '<b>',
    "'",
    'a,b',
    'a;b',
    '$x',
    '~',
  ])('are new instead of %p', (header) => {
    expect(requestId(header)).toMatch(UUID);
  });

  it('are new where several were sent', () => {
    expect(requestId(['a', 'b'])).toMatch(UUID);
  });

  it('are always one visible word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (header) => {
        expect(requestId(header)).toMatch(/^[\w.:+/=-]{1,128}$/);
      }),
    );
  });
});
