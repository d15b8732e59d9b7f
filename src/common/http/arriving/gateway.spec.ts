import type { IncomingMessage } from 'node:http';
import { arrival, type Gateway } from './gateway.js';

describe('X-Forwarded-For', () => {
  const arrived = (sent: string): unknown => {
    const request = { url: '/', headers: { 'x-forwarded-for': sent } } as unknown as IncomingMessage;
    arrival({ basePath: '', tokenHeader: null } as Gateway)(request);
    return request.headers['x-forwarded-for'];
  };

  it('stays as it is', () => {
    expect(arrived('192.0.2.1, 10.0.0.1')).toBe('192.0.2.1, 10.0.0.1');
  });

  it('that is long is read from whole addresses at its end', () => {
    const end = arrived(`${'192.0.2.1, '.repeat(2_000)}10.0.0.1`);

    expect(end).toMatch(/^( 192\.0\.2\.1,){90,} 10\.0\.0\.1$/);
    expect(String(end).length).toBeLessThanOrEqual(1_024);
  });
});
