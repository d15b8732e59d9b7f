import type { Response } from 'supertest';
import { login, type Person } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { PASSWORD, userRequests } from '../support/user-requests.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestApp;
const { anEmail, create, read, aUser } = userRequests(() => service);

function faultsOf({ status, body }: Response): [string, string][] {
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'validation_failed' });
  return body.details.map(({ field, rule }: { field: string; rule: string }) => [field, rule]);
}

describe('Users', () => {
  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  describe('POST /api/users', () => {
    it('answers 201, the address of the user, and the user as bare JSON', async () => {
      const answer = await create({ name: '  Ann Example ', email: ' Ann@Example.com ' });

      expect(answer.status).toBe(201);
      expect(answer.headers.location).toBe(`/api/users/${answer.body.id}`);
      expect(answer.body).toEqual({
        id: expect.any(Number),
        name: 'Ann Example',
        email: 'Ann@example.com',
        role: 'viewer',
        email_verified: false,
        disabled: false,
        disabled_by: null,
        role_source: null,
        created_at: expect.stringMatching(ISO),
        updated_at: answer.body.created_at,
      });
    });

    it('takes a password and a role, and never shows the password', async () => {
      const answer = await create({ name: 'Ed', email: anEmail(), password: PASSWORD, role: 'editor' });

      expect(answer.status).toBe(201);
      expect(answer.body.role).toBe('editor');
      expect(answer.text).not.toMatch(/password|hash|argon/i);
      expect((await read(answer.body.id)).text).not.toMatch(/password|hash|argon/i);
    });

    it('answers 409 email_taken for another spelling of an address', async () => {
      await create({ name: 'Bea', email: 'bea@example.com' });

      const answer = await create({ name: 'Bea', email: 'BEA@EXAMPLE.COM' });

      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ error: 'email_taken', message: expect.any(String) });
    });

    it('lets one of fifty win who want the same address at once', async () => {
      const email = anEmail();

      const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name: 'Ann', email })));

      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(49).fill(409)]);
      const listed = await service.http().get('/api/users');
      expect(listed.body.filter((user: { email: string }) => user.email === email)).toHaveLength(1);
    });

    it('reports all faults at once', async () => {
      const answer = await create({ email: 'nobody', password: 'short', role: 'root', nickname: 'x' });

      expect(faultsOf(answer).sort()).toEqual([
        ['email', 'email'],
        ['name', 'required'],
        ['nickname', 'unknown'],
        ['password', 'length'],
        ['role', 'enum'],
      ]);
    });

    it.each(['id', 'email_verified', 'created_at', 'updated_at', 'password_hash', 'passwordHash', 'disabled'])(
      'does not let %s be smuggled in',
      async (field) => {
        const answer = await create({ name: 'Ann', email: anEmail(), [field]: 1 });

        expect(faultsOf(answer)).toEqual([[field, 'unknown']]);
      },
    );

    it.each([
      ['a blank name', { name: ' \t ' }, ['name', 'length']],
      ['a name that nobody sees', { name: '\u200b' }, ['name', 'blank']],
      ['a name of 256 characters', { name: 'n'.repeat(256) }, ['name', 'length']],
      ['a name of more characters than they seem to be', { name: '❤️'.repeat(200) }, ['name', 'length']],
      ['a line break in the name', { name: 'Ann\r\nBcc: bob' }, ['name', 'control']],
      ['a name that turns what stands behind it', { name: 'Ann \u202enimda' }, ['name', 'control']],
      ['a line separator in the name', { name: 'Ann\u2028Bcc: bob' }, ['name', 'control']],
      ['a paragraph separator in the name', { name: 'Ann\u2029Bcc: bob' }, ['name', 'control']],
      ['a name with an isolate that does not end', { name: 'Ann \u2067nimda' }, ['name', 'control']],
      ['a number for a name', { name: 7 }, ['name', 'string']],
      ['null for a name', { name: null }, ['name', 'required']],
      ['an address with a line break', { email: '"a\r\nb"@example.com' }, ['email', 'email']],
      ['a look-alike of an address', { email: '\u212aelvin@example.com' }, ['email', 'email']],
      ['two addresses', { email: ['a@example.com', 'b@example.com'] }, ['email', 'string']],
      ['an address that is an object', { email: { toString: 'x' } }, ['email', 'string']],
      ['a password of 11 characters', { password: 'x7#kq0Zp!2v' }, ['password', 'length']],
      ['a password of 257 characters', { password: 'ab'.repeat(128) + 'c' }, ['password', 'length']],
      ['a password of 12 code points that are 6 letters', { password: 'e\u0301'.repeat(6) }, ['password', 'length']],
      ['a password of 100 ligatures that are 300 letters', { password: '\ufb03'.repeat(100) }, ['password', 'length']],
      ['a password that everybody has', { password: 'Password1234' }, ['password', 'common']],
      ['a number for a password', { password: 123456789012 }, ['password', 'string']],
      ['null for a role', { role: null }, ['role', 'required']],
      ['a list for a role', { role: ['admin'] }, ['role', 'enum']],
    ])('refuses %s', async (_, part, fault) => {
      const answer = await create({ name: 'Ann', email: anEmail(), ...part });

      expect(faultsOf(answer)).toEqual([fault]);
    });

    it('takes a name of 255 characters and a password of 12 or 256', async () => {
      const short = await create({ name: 'n'.repeat(255), email: anEmail(), password: 'x7#kq0Zp!2vW' });
      const long = await create({ name: '❤'.repeat(255), email: anEmail(), password: 'ab'.repeat(128) });

      expect([short.status, long.status]).toEqual([201, 201]);
    });

    it('takes a password of 256 letters, however they are composed', async () => {
      const apart = Array.from({ length: 256 }, (_, index) => `${'aeiou'.charAt(index % 5)}\u0301`).join('');
      const { body } = await create({ name: 'Ann', email: anEmail(), password: apart });

      const logins = [apart, apart.normalize('NFC')].map((password) => login(service, body as Person, password));
      expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200]);
    });

    it.each(['', 'null', '[]', '[{"name":"Ann","email":"ann@example.org"}]', '"text"', '7', 'true', '{}'])(
      'answers 422 to the body %j',
      async (body) => {
        const answer = await service.http().post('/api/users').set('Content-Type', 'application/json').send(body);

        expect(answer.status).toBe(422);
        expect(answer.body.error).toBe('validation_failed');
      },
    );

    it.each(['hasOwnProperty', 'toString', 'valueOf', 'then', 'toJSON', 'length', '__defineGetter__'])(
      'answers 422 to a field named %s',
      async (field) => {
        const answer = await create({ name: 'Ann', email: anEmail(), [field]: 1 });

        expect(faultsOf(answer)).toContainEqual([field, 'unknown']);
      },
    );

    it('answers 400 malformed_json and 415 unsupported_media_type like every route', async () => {
      const users = service.http();

      const broken = await users.post('/api/users').set('Content-Type', 'application/json').send('{"name":');
      const form = await users.post('/api/users').set('Content-Type', 'text/plain').send('name=Ann');

      expect([broken.status, broken.body.error]).toEqual([400, 'malformed_json']);
      expect([form.status, form.body.error]).toEqual([415, 'unsupported_media_type']);
    });
  });

  describe('GET /api/users', () => {
    it('answers all users as a bare array in the order of ids', async () => {
      const made = [await aUser(), await aUser()];

      const answer = await service.http().get('/api/users');

      const ids = answer.body.map(({ id }: { id: number }) => id) as number[];
      expect(answer.status).toBe(200);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      expect(answer.body.slice(-2)).toEqual(made);
    });

    it.each(['/api/users?page=0', '/api/users?x', '/api/users/1?fields=id'])('answers 400 to %s', async (path) => {
      const answer = await service.http().get(path);

      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_query']);
    });
  });

  describe('GET /api/users/{id}', () => {
    it('answers the user as bare JSON', async () => {
      const user = await aUser();

      const answer = await service.http().get(`/api/users/${user.id}`);

      expect([answer.status, answer.body]).toEqual([200, user]);
    });

    const STRANGERS = ['0', '999999999', '9999999999999999', '99999999999999999', 'abc', '-1', '1.5', '1e3'];

    it.each([...STRANGERS, '%00', '1%2F2', '%F0%9F%98%80'])('answers 404 user_not_found for the id %s', async (id) => {
      const answers = [
        await service.http().get(`/api/users/${id}`),
        await service.http().delete(`/api/users/${id}`),
        await service.http().put(`/api/users/${id}`).send({ name: 'X' }),
      ];

      const errors = answers.map(({ status, body }) => [status, body.error]);
      expect(errors).toEqual(Array(3).fill([404, 'user_not_found']));
    });

    it.each([
      ['with a fraction', (id: number) => `${id}.0`],
      ['in hexadecimal', (id: number) => `0x${id.toString(16)}`],
      ['with an exponent', (id: number) => `${id}e0`],
      ['with a sign', (id: number) => `+${id}`],
      ['behind a space', (id: number) => `%20${id}`],
    ])('does not take a number %s for an id', async (_, written) => {
      const { id } = await aUser();

      const answer = await service.http().delete(`/api/users/${written(id)}`);

      expect([answer.status, answer.body.error]).toEqual([404, 'user_not_found']);
      expect((await read(id)).status).toBe(200);
    });

    it('names the id as it was sent where there is no such user', async () => {
      const answer = await service.http().get('/api/users/me');

      expect(answer.body.message).toBe('User not found: me.');
    });
  });

  describe.each(['put', 'patch'] as const)('%s /api/users/{id}', (verb) => {
    const change = (id: number, body: unknown): Promise<Response> =>
      service
        .http()
        [verb](`/api/users/${id}`)
        .send(body as object);

    it('merges: what is not sent stays', async () => {
      const user = await aUser({ role: 'author' });

      const answer = await change(user.id, { name: 'Ann Miller' });

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...user, name: 'Ann Miller', updated_at: expect.stringMatching(ISO) });
      expect((await read(user.id)).body).toEqual(answer.body);
    });

    it('writes nothing when nothing changes', async () => {
      const user = await aUser({ role: 'author' });

      const answers = [
        await change(user.id, {}),
        await change(user.id, { name: 'Ann', email: user.email, role: 'author', disabled: false }),
      ];

      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [200, user],
        [200, user],
      ]);
    });

    it('disables and enables', async () => {
      const { id } = await aUser();

      const disabled = await change(id, { disabled: true });
      const enabled = await change(id, { disabled: false });

      expect([disabled.body.disabled, enabled.body.disabled]).toEqual([true, false]);
    });

    it('answers 409 email_taken', async () => {
      const [ann, bob] = [await aUser(), await aUser()];

      const answer = await change(bob.id, { email: ann.email.toUpperCase() });

      expect([answer.status, answer.body.error]).toEqual([409, 'email_taken']);
    });

    it('reports all faults at once', async () => {
      const { id } = await aUser();

      const answer = await change(id, { name: null, email: 7, password: '', role: 'root', disabled: 'yes', id: 1 });

      expect(faultsOf(answer).sort()).toEqual([
        ['disabled', 'boolean'],
        ['email', 'string'],
        ['id', 'unknown'],
        ['name', 'required'],
        ['password', 'length'],
        ['role', 'enum'],
      ]);
    });

    it.each(['[]', '"text"', '7', 'null', ''])('answers no 5xx to the body %j', async (body) => {
      const { id } = await aUser();

      const answer = await service.http()[verb](`/api/users/${id}`).set('Content-Type', 'application/json').send(body);

      expect(answer.status).toBe(422);
    });
  });

  describe('DELETE /api/users/{id}', () => {
    it('answers 204 without a body, then 404', async () => {
      const { id } = await aUser();

      const first = await service.http().delete(`/api/users/${id}`);
      const second = await service.http().delete(`/api/users/${id}`);

      expect([first.status, first.text]).toEqual([204, '']);
      expect([second.status, second.body.error]).toEqual([404, 'user_not_found']);
    });
  });
});
