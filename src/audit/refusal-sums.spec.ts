import { AuditBench, VISITOR } from '../../test/support/audit-bench.js';
import type { AuditEvent } from './audit-event.js';

describe('The audit of refusals that are about no account', () => {
  let bench: AuditBench;

  beforeAll(async () => {
    bench = await AuditBench.open();
  });

  beforeEach(() => bench.empty());
  afterAll(() => bench.close());

  const JUNK = { event: 'exchange', outcome: 'failure', reason: 'invalid_code_exchange' } as const;
  const from = (ip: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
    ...JUNK,
    visitor: { ...VISITOR, ip },
    ...more,
  });
  /** Notes the events, and lets a minute pass: the service stops. */
  const written = async (events: readonly AuditEvent[]) => {
    let first = 0;
    await bench.untilStop(async (audit) => {
      for (const event of events) audit.note(event);
      await audit.write();
      first = (await bench.rows()).length;
    });
    return { first, rows: await bench.rows() };
  };

  it('has the first one of a network, an event and a reason, and the others as one sum', async () => {
    const flood = Array.from({ length: 500 }, () => from('203.0.113.9'));
    const others = [from('203.0.113.10'), from('203.0.113.9', { event: 'magic_link.verify', reason: 'invalid_link' })];

    const { first, rows: kept } = await written([...flood, ...others]);

    expect(first).toBe(3);
    expect(kept).toHaveLength(4);
    expect(kept.at(-1)).toMatchObject({ event: 'exchange', ip: '203.0.113.9', reason: 'invalid_code_exchange' });
    expect(JSON.parse(String(kept.at(-1)?.details))).toEqual({ requests: 499 });
  });

  it('takes a /48 of version 6 for one network', async () => {
    const { rows: kept } = await written(
      Array.from({ length: 100 }, (_, n) => from(`2001:db8:0:${n.toString(16)}::1`)),
    );

    expect(kept.map(({ details }) => details)).toEqual([null, '{"requests":99}']);
  });

  it('has those of more than a thousand networks as one sum of all', async () => {
    const { rows: kept } = await written(
      Array.from({ length: 3_000 }, (_, n) => from(`198.${18 + (n >> 16)}.${n >> 8}.${n & 255}`)),
    );

    expect(kept).toHaveLength(1_001);
    expect(kept.at(-1)).toMatchObject({ event: 'request.refused', reason: 'flood', ip: null });
    expect(JSON.parse(String(kept.at(-1)?.details))).toEqual({ requests: 2_000, events: ['exchange'] });
  });

  it('has each one that is about an account', async () => {
    const about: Partial<AuditEvent>[] = [
      { reason: 'account_disabled' },
      { userId: 7 },
      { sessionId: 's-1' },
      { typedEmail: 'ann@example.com' },
    ];

    const { rows: kept } = await written(
      about.flatMap((more) => [from('203.0.113.9', more), from('203.0.113.9', more)]),
    );

    expect(kept.map(({ details }) => details)).toEqual(Array(8).fill(null));
  });
});
