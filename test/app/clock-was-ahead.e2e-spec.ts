import { TypeWatches } from '../../src/content-types/changes/type-watches.js';
import { TypeStore } from '../../src/content-types/store/type-store.js';
import { execute, select } from '../../src/database/statements/statement.js';
import { Reads } from '../../src/database/statements/reads.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { MailQueue } from '../../src/mail/mail-queue.js';
import { runner } from '../support/cli-runner.js';
import { putClockAhead } from '../support/clock.js';
import { post } from '../support/letters.js';
import { mailedCode, sendCode } from '../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { aPerson, login, signedIn } from '../support/sign-in.js';

const DAY_MS = 86_400_000;
const TWO_DAYS = 172_800;

describe('After the clock of an instance was two days ahead for a while', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp();
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const run = (sql: string) => service.app.get(UnitOfWork).run((manager) => execute(manager, sql));
  const ahead = Date.now() + 2 * DAY_MS;

  it.each([7, 100])('the right password signs in after %d wrong ones, and codes are mailed again', async (tries) => {
    const ann = await aPerson(service);
    putClockAhead(service, TWO_DAYS);
    await mailedCode(service, service.mailbox, ann.email);
    for (let times = 0; times < 7; times += 1) await login(service, ann, 'another horse entirely');
    await run(`UPDATE auth_counters SET tries = ${tries} WHERE tries = 5`);
    expect((await login(service, ann)).status).toBe(429);
    jest.restoreAllMocks();

    const { status } = await login(service, ann);
    await mailedCode(service, service.mailbox, ann.email);

    expect(status).toBe(200);
  });

  it('a wait stays that a clock less than a minute ahead has begun', async () => {
    const ann = await aPerson(service);
    putClockAhead(service, 59);
    await mailedCode(service, service.mailbox, ann.email);
    jest.restoreAllMocks();
    const mails = () => service.app.get(MailQueue);
    const add = jest.spyOn(mails(), 'add');

    expect((await sendCode(service, ann.email)).status).toBe(200);

    expect(add).not.toHaveBeenCalled();
  });

  it('mails are sent that were to wait until then', async () => {
    const mails = service.app.get(MailQueue);
    const claim = mails.claim.bind(mails);
    jest.spyOn(mails, 'claim').mockResolvedValue([]);
    await post(service.app, 'ann@example.com');
    await run(`UPDATE mail_queue SET due_at = ${ahead}`);

    expect(await claim(1, [])).toHaveLength(1);
  });

  it('the index of a field has no builder any more whose lease was to end then', async () => {
    const { fields } = service.app.get(TypeStore);
    const type = { name: 'book', fields: [{ name: 'isbn', type: 'text' }] };
    await service.http().post('/api/admin/types').send(type).expect(201);
    const builder = { builder: 'another', builderUntil: ahead };
    const fieldKey = await service.app.get(UnitOfWork).run(async (manager) => {
      const [field] = await select<{ id: number }>(manager, 'SELECT id FROM content_fields ORDER BY id LIMIT 1');
      const values = [JSON.stringify(builder), field?.id ?? 0];
      await execute(manager, 'UPDATE content_fields SET options = ? WHERE id = ?', values);
      return field?.id ?? 0;
    });

    const found = await service.app.get(UnitOfWork).run((manager) => fields.builderOf(manager, fieldKey));

    expect(found).toEqual({ id: 'another', remaining: 0 });
  });

  it('no type is watched for a change that died then', async () => {
    await run(`INSERT INTO type_watches (id, type_id, until_at) VALUES ('left', 1, ${ahead})`);

    await service.app.get(TypeWatches).sweep();

    expect(await service.app.get(Reads).select('SELECT id FROM type_watches')).toEqual([]);
  });

  it('the next key of access tokens is old enough to sign with', async () => {
    await signedIn(service, await aPerson(service));
    await run(`UPDATE signing_keys SET created_at = ${ahead} WHERE slot = 'next'`);
    const cli = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });

    expect(await cli('key rotate')).toMatchObject({ code: 0, error: '' });
  });
});
