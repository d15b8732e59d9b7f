import { AppKeys } from '../config/values/app-keys.js';
import { readSettings } from '../config/settings.js';
import { MailSeal, type SealedMail } from './mail-seal.js';

const MAIL: SealedMail = {
  id: '1',
  to: 'ann@example.com',
  letter: { subject: 'Grüße', paragraphs: ['x'], code: '048213' },
};
const sealOf = (secret: string): MailSeal =>
  new MailSeal(new AppKeys(readSettings('test', { APP_SECRET: secret.repeat(32) })));

describe('A seal', () => {
  const seal = sealOf('a');

  it('hides all of a mail, and gives it back', () => {
    const sealed = seal.close(MAIL);

    expect(sealed.toString('latin1')).not.toMatch(/048213|ann|example|subject/);
    expect(seal.open(sealed)).toEqual(MAIL);
    expect(sealOf('a').open(sealed)).toEqual(MAIL);
  });

  it('looks different each time', () => {
    expect(seal.close(MAIL).equals(seal.close(MAIL))).toBe(false);
  });

  it('is of no use with another secret', () => {
    expect(sealOf('b').open(seal.close(MAIL))).toBeNull();
  });

  it('shows every change, and what is no seal at all', () => {
    const sealed = seal.close(MAIL);
    for (const at of [0, 12, 27, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(seal.open(changed)).toBeNull();
    }
    for (const length of [0, 11, 12, 20, 28]) expect(seal.open(sealed.subarray(0, length))).toBeNull();
  });
});
