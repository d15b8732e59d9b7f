import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const PAGE = 'https://console.example.com/signed-in';
const DEVICE = 'cms_device';

describe('A browser that comes back from a provider', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ SIGNUP: 'open', REDIRECT_ALLOW_LIST: PAGE });
  });

  afterAll(() => app.stop());

  /** A user of Google who was signed in elsewhere until now, and the browser of then. */
  async function known(): Promise<{ browser: ProviderBrowser; id: number }> {
    const email = `n${(count += 1)}@gmail.com`;
    app.provider.behaviour = { claims: { email, email_verified: true, sub: email } };
    const browser = new ProviderBrowser(app.service);
    const { body } = await browser.signIn('google');
    const id = body.user.id as number;
    await app.write("UPDATE auth_sessions SET ip = '192.0.2.1' WHERE user_id = ?", id);
    return { browser, id };
  }

  /** Goes round as a browser does, which sends the strict cookie to no address that another site has sent it to. */
  async function goRound(browser: ProviderBrowser, query: Record<string, string>): Promise<void> {
    const back = await browser.visit('google', query);
    browser.cookies.delete(DEVICE);
    const { status, headers } = await browser.comeBack(back);
    if (status !== 303) return;
    const code = new URL(String(headers.location)).searchParams.get('code');
    await app.service.anonymous().post('/api/auth/exchange').send({ code }).expect(200);
  }

  async function lastDetails(id: number, event: string): Promise<unknown> {
    const { body } = await app.service.http().get(`/api/admin/audit?event=${event}&user_id=${id}`);
    return body.data[0].details;
  }

  const WAYS: [event: string, query: Record<string, string>][] = [
    ['provider.sign_in', {}],
    ['exchange', { redirect_to: PAGE }],
  ];

  it.each(WAYS)('is on a known device where it showed the cookie before it left: %s', async (event, query) => {
    const { browser, id } = await known();

    await goRound(browser, query);

    expect(await lastDetails(id, event)).toBeNull();
  });

  it.each(WAYS)('is on a new device where it did not, which is mailed: %s', async (event, query) => {
    const { browser, id } = await known();
    browser.cookies.delete(DEVICE);

    await goRound(browser, query);

    expect(await lastDetails(id, event)).toEqual({ new_device: true });
    const mail = await app.mailbox.next(`n${count}@gmail.com`, /^A new device signed in/);
    expect(mail.text).toContain(event === 'exchange' ? 'was opened by a sign-in on' : 'by a linked identity on');
  });
});
