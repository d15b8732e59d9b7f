import { Settings } from '../../../src/config/settings.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { putClockAhead, stopClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { mailedCode, otherCode, sendCode, tokenOf, verifyCode, verifyLink } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import type { Mailbox } from '../../support/mailbox.js';
import { aPerson } from '../../support/sign-in.js';

describe('A one-time code', () => {
  let service: MailedApp;
  let mailbox: Mailbox;

  beforeAll(async () => {
    service = await startMailedApp();
    ({ mailbox } = service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const challengeOf = async (email: string) =>
    (
      await service.app
        .get(Reads)
        .select<{ attempts: number; code_hash: string; token_hash: string; consumed_at: number | null }>(
          "SELECT attempts, code_hash, token_hash, consumed_at FROM auth_challenges WHERE purpose = 'sign_in' AND subject = ?",
          [email],
        )
    )[0];

  it('comes by mail, and opens a session once', async () => {
    const { email } = await aPerson(service);
    const asked = await sendCode(service, email);
    expect(asked.body).toEqual({
      message: 'If the address can sign in, a code has been sent.',
      expires_in: 600,
      resend_in: 60,
    });
    const mail = await mailbox.next(email);
    expect(mail.code).toMatch(/^\d{6}$/);

    const signedIn = await verifyCode(service, email, mail.code);
    expect([signedIn.status, signedIn.body]).toMatchObject([
      200,
      { token_type: 'Bearer', expires_in: 900, user: { email, email_verified: true } },
    ]);
    const { body } = await service.http(signedIn.body.token as string).get('/api/auth/me');
    expect(body.data.session.amr).toEqual(['otp']);
    expectError(await verifyCode(service, email, mail.code), 'invalid_code');
  });

  it('is in the mail and not in its subject, and the mail has a link to where the settings say', async () => {
    const { email } = await aPerson(service);
    await service
      .anonymous()
      .post('/api/auth/otp/send')
      .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
      .send({ email })
      .expect(200);

    const { subject, code, link, raw } = await mailbox.next(email);

    expect(subject).not.toContain(code);
    expect(link.startsWith(`${service.app.get(Settings).publicUrl}/api/auth/magic-link/verify?token=`)).toBe(true);
    expect(raw).not.toContain('evil');
  });

  it('may be typed with spaces and hyphens in digits of another script, but is no number', async () => {
    const { email } = await aPerson(service);
    const { code } = await mailedCode(service, mailbox, email);

    expectError(await verifyCode(service, email, Number(code)), 'validation_failed');
    const arabic = code.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    const typed = `${arabic.slice(0, 3)} – ${arabic.slice(3)}\u200b`;
    expect((await verifyCode(service, email, typed)).status).toBe(200);
  });

  it.each([['12345'], ['1234567'], ['12345a'], ['123456.'], [''], [null], [['123456']], [{}]])(
    'is refused when it cannot be one: %p',
    async (code) => {
      expectError(await verifyCode(service, 'ann@example.com', code), 'validation_failed');
    },
  );

  it('is spent by the link of its mail, and spends that link', async () => {
    const [one, other] = [await aPerson(service), await aPerson(service)];
    const first = await mailedCode(service, mailbox, one.email);
    const second = await mailedCode(service, mailbox, other.email);

    expect((await verifyLink(service, tokenOf(first))).status).toBe(200);
    expectError(await verifyCode(service, one.email, first.code), 'invalid_code');
    expect((await verifyCode(service, other.email, second.code)).status).toBe(200);
    expectError(await verifyLink(service, tokenOf(second)), 'invalid_link');
  });

  it('is good for one address only', async () => {
    const [one, other] = [await aPerson(service), await aPerson(service)];
    const { code } = await mailedCode(service, mailbox, one.email);

    expectError(await verifyCode(service, other.email, code), 'invalid_code');
    expect((await verifyCode(service, one.email, code)).status).toBe(200);
  });

  it('lies in the database as nothing that discloses it', async () => {
    const { email } = await aPerson(service);
    const mail = await mailedCode(service, mailbox, email);

    const row = JSON.stringify(await service.app.get(Reads).select('SELECT * FROM auth_challenges'));

    expect(row).not.toContain(mail.code);
    expect(row).not.toContain(tokenOf(mail));
  });

  it('is dead after five wrong ones', async () => {
    const { email } = await aPerson(service);
    const { code } = await mailedCode(service, mailbox, email);
    for (let tries = 0; tries < 5; tries += 1) {
      expectError(await verifyCode(service, email, otherCode(code)), 'invalid_code');
    }

    expectError(await verifyCode(service, email, code), 'invalid_code');
  });

  it('is still good after four wrong ones', async () => {
    const { email } = await aPerson(service);
    const { code } = await mailedCode(service, mailbox, email);
    for (let tries = 0; tries < 4; tries += 1) await verifyCode(service, email, otherCode(code));

    expect((await verifyCode(service, email, code)).status).toBe(200);
  });

  it.each(['a user', 'an unknown address'])(
    'of %s cannot be guessed more than ten times in a quarter of an hour',
    async (who) => {
      const { email } = who === 'a user' ? await aPerson(service) : { email: 'not-here@example.com' };
      for (let tries = 0; tries < 10; tries += 1) {
        if (tries === 5) putClockAhead(service, 61);
        if (tries % 5 === 0) expect((await sendCode(service, email)).status).toBe(200);
        expectError(await verifyCode(service, email, '000000'), 'invalid_code');
      }

      putClockAhead(service, 122);
      expect((await sendCode(service, email)).status).toBe(200);
      const refused = await verifyCode(service, email, '000000');
      expectError(refused, 'too_many_requests');
      expect(refused.body.retry_after).toBeGreaterThan(700);
      putClockAhead(service, 122 + 901);
      expect((await sendCode(service, email)).status).toBe(200);
      expectError(await verifyCode(service, email, '000000'), 'invalid_code');
    },
  );

  it('is compared five times when a hundred guesses arrive together, and then never again', async () => {
    const { email } = await aPerson(service);
    const { code } = await mailedCode(service, mailbox, email);

    const answers = await Promise.all(Array.from({ length: 100 }, () => verifyCode(service, email, otherCode(code))));

    // Some are refused by the count, others since no attempt is left: whichever is noticed first.
    expect(answers.map(({ status }) => status).filter((status) => status !== 401 && status !== 429)).toEqual([]);
    expect((await challengeOf(email))?.attempts).toBe(5);
    expectError(await verifyCode(service, email, code), 'invalid_code');
  });

  it('opens one session when it arrives twenty times at once', async () => {
    const { id, email } = await aPerson(service);
    const { code } = await mailedCode(service, mailbox, email);

    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyCode(service, email, code)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const sessions = await service.app.get(Reads).select('SELECT id FROM auth_sessions WHERE user_id = ?', [id]);
    expect(sessions).toHaveLength(1);
  });

  it('opens one session when the link of its mail arrives together with it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email } = await aPerson(service);
      const mail = await mailedCode(service, mailbox, email);

      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => verifyCode(service, email, mail.code)),
        ...Array.from({ length: 4 }, () => verifyLink(service, tokenOf(mail))),
      ]);

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const sessions = await service.app.get(Reads).select('SELECT id FROM auth_sessions WHERE user_id = ?', [id]);
      expect(sessions).toHaveLength(1);
    }
  });

  it('is good for ten minutes and not for longer', async () => {
    const [one, other] = [await aPerson(service), await aPerson(service)];
    const putAhead = stopClock(service);
    const first = await mailedCode(service, mailbox, one.email);
    const second = await mailedCode(service, mailbox, other.email);

    putAhead(599);
    expect((await verifyCode(service, one.email, first.code)).status).toBe(200);
    putAhead(600);
    expectError(await verifyCode(service, other.email, second.code), 'invalid_code');
  });

  it('is not sent again within a minute, and stays as it is; after that another one takes its place', async () => {
    const { email } = await aPerson(service);
    const first = await mailedCode(service, mailbox, email);
    const known = await challengeOf(email);

    const again = await sendCode(service, email);
    expect([again.status, again.body.resend_in]).toEqual([200, 60]);
    expect(await challengeOf(email)).toEqual(known);
    putClockAhead(service, 61);
    const second = await mailedCode(service, mailbox, email);

    expect(await mailbox.mailsTo(email)).toHaveLength(2);
    if (first.code !== second.code) expectError(await verifyCode(service, email, first.code), 'invalid_code');
    expectError(await verifyLink(service, tokenOf(first)), 'invalid_link');
    expect((await verifyCode(service, email, second.code)).status).toBe(200);
  });

  it.each(['an account', 'no account'])('is sent to %s five times an hour, then once in ten minutes', async (who) => {
    const { email } = who === 'an account' ? await aPerson(service) : { email: 'never-here@example.com' };
    const putAhead = stopClock(service);
    const sentAt = async (seconds: number): Promise<number> => {
      putAhead(seconds);
      return (await sendCode(service, email)).status;
    };

    const within = [await sentAt(0), await sentAt(61), await sentAt(122), await sentAt(183), await sentAt(244)];
    const beyond = [await sentAt(305), await sentAt(366), await sentAt(904), await sentAt(906), await sentAt(970)];
    expect([within, beyond]).toEqual([
      [200, 200, 200, 200, 200],
      [200, 429, 429, 200, 429],
    ]);
    expectError(await sendCode(service, email), 'too_many_requests');
    expect(await sentAt(3_601)).toBe(200);
  });

  it('is in the mailbox of its owner, good and fresh, whatever strangers ask for', async () => {
    const { email } = await aPerson(service);
    let last = '';
    for (let minute = 0; minute < 45; minute += 1) {
      putClockAhead(service, minute * 61);
      if ((await sendCode(service, email)).status === 200) last = tokenOf(await mailbox.next(email));
    }

    expect((await verifyLink(service, last)).status).toBe(200);
  });

  it('goes to the address as it is stored, however it is typed', async () => {
    const { email } = await aPerson(service, { email: 'Mixed.Case@example.com' });

    expect((await sendCode(service, '  mIXED.case@EXAMPLE.com ')).status).toBe(200);

    expect((await mailbox.next(email)).to).toBe('Mixed.Case@example.com');
  });

  it.each([
    ['a Kelvin sign', '\u212aelvin@example.com'],
    ['a letter with an accent', 'ánn@example.com'],
    ['a line break', 'ann@example.com\r\nBcc: evil@example.com'],
    ['a line break in quotes', '"a\r\nb"@example.com'],
    ['a comma', 'ann@example.com,evil@example.com'],
    ['a name', 'Ann <ann@example.com>'],
    ['a zero-width space', 'an\u200bn@example.com'],
  ])('is not sent to an address with %s', async (_, email) => {
    expectError(await sendCode(service, email), 'validation_failed');
  });
});
