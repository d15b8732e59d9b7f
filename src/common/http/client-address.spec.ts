import { clientAddress, clientNetwork } from './client-address.js';

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

describe('clientNetwork', () => {
  it('is the whole of an address of version 4 and the /64 of one of version 6', () => {
    expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
    expect(clientNetwork('::ffff:192.0.2.1')).toBe(clientNetwork('192.0.2.1'));
    expect(clientNetwork('2001:db8::1')).toBe(clientNetwork('2001:db8:0:0:ffff::2'));
    expect(clientNetwork('2001:db8::1')).not.toBe(clientNetwork('2001:db8:0:1::1'));
    expect(clientNetwork('junk')).toBe(clientNetwork(undefined));
  });
});
