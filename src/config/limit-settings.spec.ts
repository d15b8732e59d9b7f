import { readSettings } from './settings.js';

describe('The limits on requests', () => {
  const limitsOf = (env: Record<string, string>) => readSettings('test', env).limits;

  it('have the defaults of the documentation', () => {
    expect(limitsOf({})).toEqual({
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
    expect(limitsOf({ LIMIT_LOGIN: '0', LIMIT_USERS: '10000' })).toMatchObject({
      login: [{ requests: 0 }],
      users: [{ requests: 10_000 }],
      verify: [{ requests: 10 }],
    });
    const off = Object.values(limitsOf({ RATE_LIMITS: 'off', LIMIT_LOGIN: '7' })).flat();
    expect(new Set(off.map(({ requests }) => requests))).toEqual(new Set([0]));
  });

  it.each(['-1', '10001', 'ten', '1.5'])('refuse %s', (LIMIT_AUTH) => {
    expect(() => limitsOf({ LIMIT_AUTH })).toThrow('LIMIT_AUTH is');
  });
});
