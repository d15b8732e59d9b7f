import { readSettings } from './settings.js';

describe('The limits on requests', () => {
  const limitsOf = (RATE_LIMITS = '') => readSettings('test', { RATE_LIMITS }).limits;

  it.each(['', 'on'])('have the defaults of the documentation with RATE_LIMITS=%s', (text) => {
    expect(readSettings('test', { RATE_LIMITS: text }).mailsPerHour).toBe(500);
    expect(limitsOf(text)).toEqual({
      auth: [{ requests: 60, within: 60_000 }],
      login: [{ requests: 10, within: 60_000 }],
      send: [
        { requests: 5, within: 60_000 },
        { requests: 20, within: 3_600_000 },
      ],
      verify: [{ requests: 10, within: 60_000 }],
      refresh: [{ requests: 60, within: 60_000 }],
      badTokens: [{ requests: 60, within: 60_000 }],
      tokenSearches: [{ requests: 5, within: 1_000 }],
      lockDown: [{ requests: 60, within: 60_000 }],
      users: [{ requests: 60, within: 60_000 }],
    });
  });

  it('are set one by one, and all off by RATE_LIMITS=off', () => {
    expect(limitsOf('login=0, users=10000,send_hourly=7')).toMatchObject({
      login: [{ requests: 0 }],
      users: [{ requests: 10_000 }],
      send: [{ requests: 5 }, { requests: 7 }],
      verify: [{ requests: 10 }],
    });
    expect(readSettings('test', { RATE_LIMITS: 'mails_hourly=7' }).mailsPerHour).toBe(7);
    expect(readSettings('test', { RATE_LIMITS: 'off' }).mailsPerHour).toBe(0);
    const off = Object.values(limitsOf('off')).flat();
    expect(new Set(off.map(({ requests }) => requests))).toEqual(new Set([0]));
  });

  it.each(['auth=-1', 'auth=10001', 'auth=ten', 'auth=1.5', 'auth', 'logins=5', 'lockDown=5', 'constructor=5', 'yes'])(
    'refuse %s',
    (text) => {
      expect(() => limitsOf(`send=4,${text}`)).toThrow(`RATE_LIMITS has "${text}"`);
    },
  );

  it('refuse a list of nothing', () => {
    expect(() => limitsOf(',')).toThrow('RATE_LIMITS has ""');
  });
});
