import { setTimeout as sleep } from 'node:timers/promises';
import { call, Child, production } from '../support/child-service.js';
import { OwnServer } from '../support/own-server.js';

/** As documented: an orchestrator kills a process that has not ended by then. */
const KILLED_AFTER_MS = 15_000;
const CLIENTS = 12;

describe('A service whose server says nothing more', () => {
  let server: OwnServer;
  let service: Child;
  let address: string;

  beforeEach(async () => {
    server = await OwnServer.start();
    const migration = new Child('cli.js', ['migrate'], production(server));
    expect(await migration.ended).toMatchObject({ code: 0 });
    service = new Child('main.js', [], { ...production(server), RATE_LIMITS: 'off' });
    address = await service.address();
  });

  afterEach(async () => {
    server.thaw();
    await service.kill('SIGKILL');
    await server.stop();
  });

  /** Writes until the service is gone. */
  async function write(): Promise<void> {
    for (;;) {
      const answer = await call(address, 'POST', '/api/cms/post', { title: 'A record' }).catch(() => null);
      if (answer === null) return;
      await answer.arrayBuffer();
    }
  }

  it('stops by itself before it would be killed, with writes and jobs that wait for an answer', async () => {
    const clients = Array.from({ length: CLIENTS }, write);
    await sleep(2_000);
    server.freeze();
    // Jobs that begin each second have begun, and the server is not known to be gone yet.
    await sleep(1_000);

    const stopping = service.kill('SIGTERM');
    const killing = setTimeout(() => void service.kill('SIGKILL'), KILLED_AFTER_MS);
    const ended = await stopping;
    clearTimeout(killing);
    await Promise.all(clients);

    expect(ended).toEqual({ code: 0, signal: null });
  });
});
