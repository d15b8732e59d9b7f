import { expectError } from '../../support/errors.js';
import { partOf } from '../../support/forged-tokens.js';
import { aPerson, signedIn, type Tokens } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { twinOf } from '../../support/twin.js';

describe('A session that has ended in another process', () => {
  let service: TestApp;
  let twin: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    twin = await twinOf(service);
  });

  afterAll(async () => {
    await twin.close();
    await service.close();
  });

  const sidOf = ({ token }: Tokens): string => String(partOf(token, 1).sid);

  it('ends no other one of its user, though it is remembered here', async () => {
    const ann = await aPerson(service);
    const [thief, owner] = [await signedIn(service, ann), await signedIn(service, ann)];
    const remembered = twin.http(thief.token);
    await remembered.get('/api/cms/post').expect(200);
    await service
      .http(owner.token)
      .delete(`/api/auth/sessions/${sidOf(thief)}`)
      .expect(204);
    await remembered.get('/api/cms/post').expect(200);

    const ended = await remembered.delete(`/api/auth/sessions/${sidOf(owner)}`);
    for (const scope of ['others', 'all']) {
      await remembered.post('/api/auth/logout').send({ scope }).expect(204);
    }

    expectError(ended, 'invalid_token');
    await service.http(owner.token).get('/api/auth/me').expect(200);
    const { body } = await service.http(owner.token).get('/api/auth/sessions').expect(200);
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual([sidOf(owner)]);
  });
});
