import type { Logger } from 'pino';
import { LOG } from '../../src/common/logging/logging.module.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('X-Forwarded-For without TRUST_PROXY', () => {
  it('is warned of once, since all clients of a gateway share one address then', async () => {
    const service = await startTestApp();
    const warn = jest.spyOn(service.app.get<Logger>(LOG), 'warn');

    for (const header of ['', ' , ']) {
      await service.anonymous().get('/health/live').set('X-Forwarded-For', header).expect(200);
    }
    await service.anonymous().get('/health/live').expect(200);
    expect(warn).not.toHaveBeenCalled();
    for (const header of ['192.0.2.1', '192.0.2.2']) {
      await service.anonymous().get('/health/live').set('X-Forwarded-For', header).expect(200);
    }

    expect(warn.mock.calls).toEqual([[expect.stringContaining('TRUST_PROXY is not set')]]);
    jest.restoreAllMocks();
    await service.close();
  });
});

describe('X-Forwarded-For with fewer entries than TRUST_PROXY counts', () => {
  let service: TestApp;

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  /** The warnings about it after requests with these headers. */
  async function warningsOf(trusted: string, ...headers: readonly (string | null)[]): Promise<unknown[]> {
    service = await startTestApp({ TRUST_PROXY: trusted });
    const warn = jest.spyOn(service.app.get<Logger>(LOG), 'warn');
    for (const header of headers) {
      const request = service.anonymous().get('/health/live');
      await (header === null ? request : request.set('X-Forwarded-For', header)).expect(200);
    }
    const lines: readonly (readonly unknown[])[] = warn.mock.calls;
    return lines.filter(([, text]) => String(text).includes('TRUST_PROXY')).map(([facts]) => facts);
  }

  it('is warned of once in the life of the process', async () => {
    expect(await warningsOf('3', '192.0.2.1, 10.0.0.1', '192.0.2.1', '192.0.2.2')).toEqual([
      { trust_proxy: 3, entries: 2 },
    ]);
  });

  it('is not warned of where there are as many, or more, or no such header', async () => {
    expect(await warningsOf('2', '192.0.2.1, 10.0.0.1', '192.0.2.9, 192.0.2.1, 10.0.0.1', null)).toEqual([]);
  });

  it.each(['', ' ', ' , '])('is still warned of after a request whose header is empty: "%s"', async (empty) => {
    expect(await warningsOf('3', empty, '192.0.2.1, 10.0.0.1')).toEqual([{ trust_proxy: 3, entries: 2 }]);
  });

  it('is not warned of where networks are trusted', async () => {
    expect(await warningsOf('10.0.0.0/8', '192.0.2.1')).toEqual([]);
  });
});
