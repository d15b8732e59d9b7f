import { Destinations } from './egress.js';

describe('Destinations', () => {
  const destinations = (): Destinations =>
    new Destinations([
      { host: 'mail.example.com', port: 587 },
      { host: 'mail.example.com', port: 465 },
      { host: '[::1]', port: 3306 },
    ]);

  it('has the ports of a named host, and no other', () => {
    const named = destinations();

    expect([465, 587, 25].map((port) => named.has({ host: 'mail.example.com', port }))).toEqual([true, true, false]);
    expect(named.has({ host: 'example.com', port: 587 })).toBe(false);
  });

  it.each([
    ['MAIL.example.com.', 587],
    ['::1', 3306],
  ])('knows %s in another spelling', (host, port) => {
    expect(destinations().has({ host, port })).toBe(true);
  });

  it.each<[string, unknown]>([
    ['lookup', '10.0.0.7'],
    ['lookup of all', [{ address: '10.0.0.7', family: 4 }]],
    ['resolve4', ['10.0.0.6', '10.0.0.7']],
  ])('has the addresses of a named host, as %s answers them', (_, answer) => {
    const named = destinations();
    named.learn('mail.example.com', answer);

    expect(named.has({ host: '10.0.0.7', port: 587 })).toBe(true);
    expect(named.has({ host: '10.0.0.7', port: 443 })).toBe(false);
  });

  it('has the ports of a named address, and those of a name that leads to it', () => {
    const named = destinations();
    named.learn('mail.example.com', '::1');

    expect([3306, 587, 25].map((port) => named.has({ host: '::1', port }))).toEqual([true, true, false]);
  });

  it('has no address of another host', () => {
    const named = destinations();
    named.learn('elsewhere.example.com', ['10.0.0.7']);

    expect(named.has({ host: '10.0.0.7', port: 587 })).toBe(false);
  });
});
