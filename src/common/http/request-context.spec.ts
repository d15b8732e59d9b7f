import fc from 'fast-check';
import { requestId, clientAddress, clientNetworks } from './request-context.js';

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

describe('clientAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('spells %s as %s', (ip, address) => {
    expect(clientAddress(ip)).toBe(address);
  });

  it.each([
    undefined,
    '',
    'junk',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1:',
    '192.0.2.1:1234567',
    '[::1',
    '1'.repeat(9_999),
  ])('takes %j for no address', (ip) => {
    expect(clientAddress(ip)).toBe('unknown');
  });
});

describe('clientNetworks', () => {
  const keys = (ip?: string) => clientNetworks(ip).map(({ key }) => key);

  it('are the whole of an address of version 4, and nothing wider', () => {
    expect(clientNetworks('192.0.2.1')).toEqual([{ key: '192.0.2.1', factor: 1 }]);
    expect(keys('::ffff:192.0.2.1')).toEqual(keys('192.0.2.1'));
    expect(keys('junk')).toEqual(keys(undefined));
    expect(keys('::1')).toHaveLength(1);
  });

  it('are the /64, /56 and /48 of an address of version 6', () => {
    expect(clientNetworks('2001:db8:1:203::1').map(({ factor }) => factor)).toEqual([1, 4, 16]);
    const common = (one: string, other: string) => keys(one).filter((key) => keys(other).includes(key)).length;

    expect(common('2001:db8:1:203::1', '2001:db8:1:203:ffff::2')).toBe(3);
    expect(common('2001:db8:1:203::1', '2001:db8:1:2ff::1')).toBe(2);
    expect(common('2001:db8:1:203::1', '2001:db8:1:303::1')).toBe(1);
    expect(common('2001:db8:1:203::1', '2001:db8:2:203::1')).toBe(0);
    expect(new Set(keys('2001:db8::')).size).toBe(3);
  });
});
