import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { Gate } from '../../../../test/support/gate.js';
import type { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { LastUse } from './verified-tokens.js';

describe('Last uses of API tokens', () => {
  it('are written once a write was waited for, also those that another one has begun to write', async () => {
    const gate = new Gate();
    const units = { run: () => gate.opened };
    const lastUse = new LastUse(units as unknown as UnitOfWork, pino({ level: 'silent' }));
    lastUse.note(1, 60_000);
    void lastUse.write();
    let isWritten = false;

    const writing = lastUse.write().then(() => (isWritten = true));
    await turn();

    expect(isWritten).toBe(false);
    gate.open();
    await writing;
  });
});
