import { AuditBench, VISITOR } from '../../test/support/audit-bench.js';
import { Clock } from '../common/clock.js';
import { execute } from '../database/statements/statement.js';
import type { UnitOfWork } from '../database/units/unit-of-work.js';
import type { Audit } from './audit.js';
import { AUDIT_EVENTS, AUDIT_OUTCOMES, type AuditEvent } from './audit-event.js';

const NOW = Date.parse('2030-01-31T12:00:00.123Z');
const REFUSED: AuditEvent = { event: 'login', outcome: 'failure', reason: 'invalid_credentials' };

describe('Audit', () => {
  let bench: AuditBench;
  let unitOfWork: UnitOfWork;
  let audit: Audit;

  beforeAll(async () => {
    bench = await AuditBench.open();
    unitOfWork = bench.units;
  });

  beforeEach(async () => {
    await bench.empty();
    audit = bench.audit();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => bench.close());

  const rows = () => bench.rows();

  it('writes lines of the log of what is committed or noted, as it is in the table', async () => {
    const added: AuditEvent = {
      event: 'logout',
      outcome: 'success',
      userId: 7,
      visitor: VISITOR,
      details: { all: true },
    };
    const undone = unitOfWork.run(async (manager) => {
      await audit.add(manager, { ...added, userId: 8 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await unitOfWork.run((manager) => audit.add(manager, added));
    audit.note({ event: 'logout', outcome: 'failure', userId: 9 });

    const at = expect.any(Number) as number;
    const { ip, userAgent, requestId } = VISITOR;
    const visitor = { ip, user_agent: userAgent, request_id: requestId };
    expect(bench.logged).toEqual([
      {
        level: 30,
        audit: { at, event: 'logout', outcome: 'success', user_id: 7, ...visitor, details: { all: true } },
        msg: 'audit',
      },
      { level: 30, audit: { at, event: 'logout', outcome: 'failure', user_id: 9 }, msg: 'audit' },
    ]);
  });

  it('writes an event with who, from where and how it ended', async () => {
    const event: AuditEvent = {
      event: 'token.created',
      outcome: 'success',
      userId: 7,
      email: 'ana@example.com',
      sessionId: 's-1',
      actor: { kind: 'token', id: null, name: 'ci', scopes: new Set(['*']) },
      visitor: VISITOR,
      provider: 'google',
      details: { name: 'website', scopes: 2 },
    };

    const clock = Object.assign(new Clock(), { now: () => NOW });
    await unitOfWork.run((manager) => bench.audit({ clock }).add(manager, event));

    const [row] = await rows();
    expect(row).toMatchObject({
      event: 'token.created',
      outcome: 'success',
      email: 'ana@example.com',
      session_id: 's-1',
      actor_kind: 'token',
      actor_id: null,
      actor_name: 'ci',
      ip: '203.0.113.9',
      user_agent: 'Firefox',
      request_id: 'r-1',
      provider: 'google',
      reason: null,
      details: '{"name":"website","scopes":2}',
    });
    expect(Number(row?.user_id)).toBe(7);
    expect(Number(row?.at)).toBe(NOW);
  });

  it('writes nothing of a unit of work that fails', async () => {
    const failing = unitOfWork.run(async (manager) => {
      await audit.add(manager, REFUSED);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  it('writes what was noted with the next batch, even where a unit of work was open', async () => {
    await unitOfWork.run(async () => {
      audit.note(REFUSED);
      await Promise.resolve();
    });
    audit.note({ ...REFUSED, event: 'otp.verify' });
    expect(await rows()).toEqual([]);

    await audit.write();
    await audit.write();

    expect((await rows()).map(({ event }) => event)).toEqual(['login', 'otp.verify']);
  });

  it('writes what was noted by itself', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    audit.onApplicationBootstrap();
    const written = new Promise((resolve) => {
      const run = unitOfWork.run.bind(unitOfWork);
      jest.spyOn(unitOfWork, 'run').mockImplementationOnce(async (work) => {
        const result = await run(work);
        resolve(result);
        return result;
      });
    });

    audit.note(REFUSED);
    jest.advanceTimersByTime(1_000);
    await written;
    jest.useRealTimers();
    expect(await rows()).toHaveLength(1);
  });

  it('writes what was noted when the service stops, before the connection ends', async () => {
    await bench.untilStop((ending) => {
      ending.note(REFUSED);
    });

    expect(await rows()).toHaveLength(1);
  });

  it('keeps what could not be written for the next try', async () => {
    audit.note(REFUSED);
    jest.spyOn(unitOfWork, 'run').mockRejectedValueOnce(new Error('gone'));

    await expect(audit.write()).rejects.toThrow('gone');
    expect(await rows()).toEqual([]);
    await audit.write();

    expect(await rows()).toHaveLength(1);
  });

  it('lets the oldest of more than 10,000 noted events give way, and tells how many', async () => {
    for (let count = 0; count < 10_000; count += 1) audit.note({ ...REFUSED, userId: count });
    await audit.write();
    expect(await rows()).toHaveLength(10_000);
    await unitOfWork.run((manager) => execute(manager, 'DELETE FROM auth_events'));

    for (let count = 0; count < 12_500; count += 1) audit.note({ ...REFUSED, userId: count });
    await audit.write();

    const kept = await rows();
    const summary = kept.find(({ event }) => event === 'audit.dropped');
    const dropped = (JSON.parse(String(summary?.details)) as { events: number }).events;
    expect(kept.length - 1 + dropped).toBe(12_500);
    expect(dropped).toBeGreaterThanOrEqual(2_500);
    expect(kept.map(({ user_id }) => Number(user_id)).includes(12_499)).toBe(true);
    expect(kept.some(({ user_id }) => user_id !== null && Number(user_id) === 0)).toBe(false);
  });

  it('keeps of what was typed nothing but a hash that takes our secret', async () => {
    const typed = 'correct horse battery staple';
    audit.note({ ...REFUSED, typedEmail: typed });
    audit.note({ ...REFUSED, typedEmail: ` ${typed.toUpperCase()}` });
    await audit.write();
    const other = bench.audit({ appSecret: 'another secret of thirty-two bytes or more' });
    other.note({ ...REFUSED, typedEmail: typed });
    await other.write();

    const emails = (await rows()).map(({ email }) => email);
    expect(emails[0]).toMatch(/^hmac:[0-9a-f]{32}$/);
    expect(emails[1]).toBe(emails[0]);
    expect(emails[2]).not.toBe(emails[0]);
    expect(JSON.stringify(await rows())).not.toContain('horse');
  });

  it('cuts what is too long, so that one event never keeps others out', async () => {
    const long = `${'x'.repeat(254)}\u{1F600}${'x'.repeat(1_000)}`;
    const visitor = { ip: long, userAgent: long, requestId: long };
    const actor = { kind: 'user', id: 1, name: long, scopes: new Set<string>() } as const;
    audit.note({ ...REFUSED, email: long, sessionId: long, reason: long, provider: long, visitor, actor });
    audit.note({ ...REFUSED, details: { long } });

    await audit.write();

    expect(await rows()).toHaveLength(2);
  });

  it('has room for every event and every outcome', async () => {
    for (const event of AUDIT_EVENTS) for (const outcome of AUDIT_OUTCOMES) audit.note({ event, outcome });

    await audit.write();

    expect(new Set((await rows()).map(({ event }) => event))).toEqual(new Set(AUDIT_EVENTS));
  });

  it('refuses to change an event, in the database itself', async () => {
    await unitOfWork.run((manager) => audit.add(manager, REFUSED));

    const change = unitOfWork.run((manager) => execute(manager, "UPDATE auth_events SET outcome = 'success'"));

    await expect(change).rejects.toThrow('Events of the audit are never changed.');
    expect(await rows()).toMatchObject([{ outcome: 'failure' }]);
  });
});
