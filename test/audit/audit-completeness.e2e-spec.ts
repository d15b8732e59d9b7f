import { Audit } from '../../src/audit/audit.js';
import { LinkedApp } from '../support/linked-app.js';
import { tokenOf } from '../support/mail-sign-in.js';
import { waitFor } from '../support/mailbox.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { aPerson, prepared, signedIn } from '../support/sign-in.js';

const TARGET = 'https://console.example.com/signed-in';
const AGENT = 'Tester/1.0';

interface Event {
  readonly event: string;
  readonly details: Record<string, unknown> | null;
}

describe('The audit has', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp({ REDIRECT_ALLOW_LIST: TARGET });
  });

  afterAll(() => service.close());

  const events = async (query: string): Promise<Event[]> => {
    await service.app.get(Audit).write();
    return (await service.http().get(`/api/admin/audit?${query}`).expect(200)).body.data;
  };
  const mailedLink = async (email: string, body: object = {}): Promise<string> => {
    await service
      .anonymous()
      .post('/api/auth/magic-link')
      .send({ email, ...body })
      .expect(200);
    return tokenOf(await service.mailbox.next(email, /^Sign in to/));
  };
  const press = (token: string) =>
    service.anonymous().post('/api/auth/magic-link/verify').set('User-Agent', AGENT).type('form').send({ token });

  it('where a first proof came from, and the notice says it too', async () => {
    const ann = await aPerson(service);
    await prepared(service, ann);
    await signedIn(service, ann);

    await press(await mailedLink(ann.email)).expect(200);

    expect(await events(`user_id=${ann.id}&event=account.stripped`)).toMatchObject([
      { ip: '127.0.0.1', user_agent: AGENT, details: { password: true, sessions: 1 } },
    ]);
    expect((await service.mailbox.next(ann.email, /is proved$/)).text).toContain('From: 127.0.0.1');
  });

  it('a link that is spent on the way to another page, before the code of that page is exchanged', async () => {
    const ann = await aPerson(service);

    await press(await mailedLink(ann.email, { redirect_to: TARGET })).expect(303);

    expect(await events(`user_id=${ann.id}&event=magic_link.verify`)).toMatchObject([
      { outcome: 'success', user_agent: AGENT, session_id: null, details: { way: 'exchange' } },
    ]);
  });

  it.each([
    [{}, { password: false, renamed: false }],
    [
      { name: 'Another Name', password: 'a long and rare pass phrase' },
      { password: true, renamed: true },
    ],
  ])('what an invitation set: %p', async (fields, details) => {
    const email = `guest-${Object.keys(fields).length}@example.com`;
    const body = { email, name: 'Guest', role: 'viewer' };
    const { user } = (await service.http().post('/api/auth/invitations').send(body).expect(201)).body;
    const token = tokenOf(await service.mailbox.next(email, /invited/));

    await service
      .anonymous()
      .post('/api/auth/invitations/accept')
      .send({ token, ...fields })
      .expect(200);

    expect(await events(`user_id=${user.id}&event=invitation.accepted`)).toMatchObject([{ details }]);
  });

  it('exports, and changes and deletions of types that were confirmed', async () => {
    const fields = [
      { name: 'taste', type: 'string' },
      { name: 'mood', type: 'string' },
    ];
    const type = { name: 'audited', label: 'Audited', fields };
    await service.http().post('/api/admin/types').send(type).expect(201);
    await service.http().post('/api/cms/audited').send({ title: 'One', taste: 'sweet', mood: 'good' }).expect(201);

    await service.http().get('/api/cms/audited/-/export').expect(200);
    await service
      .http()
      .put('/api/admin/types/audited')
      .send({ fields: fields.slice(0, 1) })
      .expect(409);
    const put = service.http().put('/api/admin/types/audited?confirm=audited');
    await put.send({ fields: fields.slice(0, 1) }).expect(200);
    await service.http().delete('/api/admin/types/audited?confirm=audited').expect(204);

    for (const event of ['content.exported', 'type.changed', 'type.deleted']) {
      expect(await events(`event=${event}`)).toMatchObject([
        { actor: { name: 'admin' }, ip: '127.0.0.1', details: { type: 'audited' } },
      ]);
    }
  });

  it('no export that handed out nothing: one that is refused, or asks for the head alone', async () => {
    await service.http().post('/api/admin/types').send({ name: 'kept', label: 'Kept' }).expect(201);
    const path = '/api/cms/kept/-/export';

    await service.http().get(`${path}?format=pdf`).expect(400);
    await service.http().get(`${path}?format=csv&guard=perhaps`).expect(400);
    await service.http().head(path).expect(200);

    expect((await events('event=content.exported')).filter(({ details }) => details?.type === 'kept')).toEqual([]);
  });

  it('deleted taxonomies', async () => {
    await service.http().post('/api/admin/taxonomies').send({ name: 'mood', label: 'Mood' }).expect(201);
    await service.http().post('/api/cms/taxonomy').send({ type: 'mood', name: 'Calm' }).expect(201);

    await service.http().delete('/api/admin/taxonomies/mood').expect(409);
    await service.http().delete('/api/admin/taxonomies/mood?confirm=mood').expect(204);

    expect(await events('event=taxonomy.deleted')).toMatchObject([
      { actor: { name: 'admin' }, ip: '127.0.0.1', details: { taxonomy: 'mood' } },
    ]);
  });

  it.each([
    ['a deleted type', 'types', (path: string) => service.http().delete(`${path}?confirm=bound`)],
    [
      'a confirmed change of a type',
      'types',
      (path: string) => service.http().put(`${path}?confirm=bound`).send({ label: 'Other' }),
    ],
    ['a deleted taxonomy', 'taxonomies', (path: string) => service.http().delete(`${path}?confirm=bound`)],
  ])('%s in the same unit of work: without the event there is no change', async (_, kind, change) => {
    const path = `/api/admin/${kind}/bound`;
    await service.http().post(`/api/admin/${kind}`).send({ name: 'bound', label: 'Bound' }).expect(201);
    const before = (await service.http().get(path).expect(200)).body;
    const add = jest.spyOn(service.app.get(Audit), 'add').mockRejectedValue(new Error('no event'));

    const { status } = await change(path);

    add.mockRestore();
    expect(status).toBe(500);
    expect((await service.http().get(path).expect(200)).body).toEqual(before);
    await service.http().delete(`${path}?confirm=bound`).expect(204);
  });
});

describe('The audit of an identity that is linked by its address', () => {
  it('has the client and the request, as the sign-in beside it has', async () => {
    const app = await LinkedApp.start({ OIDC_TRUST_EMAIL: 'true' });
    try {
      const id = await app.user('ann@corp.example');
      await app.token('oidc', { email: 'ann@corp.example' });

      const { body } = await app.service.http().get(`/api/admin/audit?user_id=${id}`).expect(200);
      const found = (body.data as { event: string; request_id: string }[]).filter(({ event }) =>
        event.startsWith('provider.'),
      );
      expect(found.map(({ event }) => event)).toEqual(['provider.sign_in', 'provider.link']);
      const [signIn, link] = found;
      expect(link).toMatchObject({ ip: '127.0.0.1', request_id: expect.any(String), provider: 'oidc' });
      expect(signIn).toMatchObject({ ip: '127.0.0.1', request_id: link?.request_id });
    } finally {
      await app.stop();
    }
  });
});

describe('The log of requests', () => {
  it('has the address of the client', async () => {
    const lines: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const service = await startMailedApp({ LOG_LEVEL: 'info' });
    try {
      await service.anonymous().get('/health/live').expect(200);
      await waitFor(() => Promise.resolve(lines.some((line) => line.includes('/health/live')) || null), 'its line');
    } finally {
      await service.close();
      write.mockRestore();
    }

    expect(lines.join('')).toContain('"ip":"127.0.0.1"');
  });
});
