import { AuditJobs } from '../../src/audit/audit-reader.js';
import { SignInJobs } from '../../src/auth/accounts/sign-in-jobs.js';
import { TypeWatches } from '../../src/content-types/changes/type-watches.js';
import { ContentTypesService } from '../../src/content-types/store/content-types.service.js';
import { Reads } from '../../src/database/statements/reads.js';
import { execute } from '../../src/database/statements/statement.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { MailDispatcher } from '../../src/mail/mail-dispatcher.js';
import { MailQueue } from '../../src/mail/mail-queue.js';
import { MailTransport } from '../../src/mail/transports/mail-transport.js';
import { RecordJobs } from '../../src/records/record-jobs.js';
import { passTime, putClockAhead } from '../support/clock.js';
import { post, queueOf } from '../support/letters.js';
import { sendCode } from '../support/mail-sign-in.js';
import { aPerson, login, signedIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const DAY_SECONDS = 86_400;
const YEARS_SECONDS = 3 * 365 * DAY_SECONDS;
const HOUR_MS = 3_600_000;

/** The database has the right time. What is over by the clock of the process alone is not over. */
describe('An instance whose clock is years ahead', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startTestApp();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  const rows = async (table: string): Promise<number> => {
    const [row] = await service.app.get(Reads).select<{ n: number | string }>(`SELECT COUNT(*) AS n FROM ${table}`);
    return Number(row?.n);
  };
  const run = (sql: string) => service.app.get(UnitOfWork).run((manager) => execute(manager, sql));
  const purge = () => service.app.get(RecordJobs).purgeTrash();
  const dropEvents = () => service.app.get(AuditJobs).dropOld();
  const dropSignIns = () => service.app.get(SignInJobs).dropOld();

  async function aTrashedRecord(): Promise<void> {
    const { body } = await service.http().post('/api/cms/post').send({ title: 'Thrown away' }).expect(201);
    await service.http().delete(`/api/cms/post/${body.data.id}`).expect(204);
  }

  async function aRevokedToken(): Promise<void> {
    const order = { name: 'ci', scopes: ['records:read'], expires_at: 'never' };
    const { body } = await service.http().post('/api/admin/tokens').send(order).expect(201);
    await service.http().delete(`/api/admin/tokens/${body.data.id}`).expect(204);
  }

  async function signIns(): Promise<void> {
    const ann = await aPerson(service);
    await signedIn(service, ann);
    await sendCode(service, ann.email);
    await login(service, ann, 'wrong');
  }

  it.each([
    ['the trash', aTrashedRecord, purge, ['records']],
    ['the audit', aRevokedToken, dropEvents, ['auth_events']],
    ['what signing in left behind', signIns, dropSignIns, ['auth_sessions', 'auth_challenges', 'auth_counters']],
    ['API tokens that have ended', aRevokedToken, dropSignIns, ['api_tokens']],
  ])('keeps %s, which goes when the time has come for the database as well', async (_, make, drop, tables) => {
    await make();
    const counts = () => Promise.all(tables.map(rows));
    const before = await counts();

    putClockAhead(service, YEARS_SECONDS);
    await drop();
    const kept = await counts();
    passTime(service, YEARS_SECONDS);
    await drop();

    expect(Math.min(...before)).toBeGreaterThan(0);
    expect(kept).toEqual(before);
    expect(Math.max(...(await counts()))).toBe(0);
  });

  it('leaves mails that another process has in hand, and drops none that can still be sent', async () => {
    const mails = service.app.get(MailQueue);
    const claim = mails.claim.bind(mails);
    jest.spyOn(mails, 'claim').mockResolvedValue([]);
    jest.spyOn(service.app.get(MailTransport), 'send').mockRejectedValue(new Error('451 not now'));
    await post(service.app, 'ann@example.com');
    await run(`UPDATE mail_queue SET claimed_by = 'another', due_at = due_at + ${HOUR_MS}`);
    putClockAhead(service, YEARS_SECONDS);

    expect(await claim(1, [])).toHaveLength(0);

    await run('UPDATE mail_queue SET due_at = 0');
    const [mail] = await claim(1, []);
    if (!mail) throw new Error('There is no mail.');
    await service.app.get(MailDispatcher).attempt(mail);
    expect(await queueOf(service.app)).toEqual([expect.objectContaining({ attempts: 1, last_error: '451 not now' })]);
  });

  it('leaves a watch of a type to the process that has it', async () => {
    const watches = service.app.get(TypeWatches);
    await watches.begin((await service.app.get(ContentTypesService).require('post')).id);

    putClockAhead(service, YEARS_SECONDS);
    await watches.sweep();

    expect(await rows('type_watches')).toBe(1);
  });
});
