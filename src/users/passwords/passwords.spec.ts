import { hash as rawHash } from '@node-rs/argon2';
import { pino } from 'pino';
import { readSettings } from '../../config/settings.js';
import { Passwords, PwnedPasswords } from './passwords.js';

describe('Passwords', () => {
  const passwords = new Passwords(
    readSettings('development', {}),
    new PwnedPasswords(readSettings('test', {}), pino({ level: 'silent' })),
  );

  it('are kept as argon2id with 19 MiB and two passes, each with a salt of its own', async () => {
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);

    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('are right or wrong', async () => {
    const hash = await passwords.hash('correct horse');

    expect(await passwords.verify('correct horse', hash)).toBe(true);
    expect(await passwords.verify('Correct horse', hash)).toBe(false);
  });

  it('are the same however their letters were composed, also those that were kept before', async () => {
    const [composed, apart] = ['caf\u00e9 au lait noir', 'cafe\u0301 au lait noir'];
    const [fresh, old] = [await passwords.hash(apart), await rawHash(apart)];

    expect(await Promise.all([composed, apart].map((one) => passwords.verify(one, fresh)))).toEqual([true, true]);
    expect(await passwords.verify(apart, old)).toBe(true);
    expect(await passwords.verify(apart, null)).toBe(false);
  });

  it('are wrong for a user who has none', async () => {
    expect(await passwords.verify('correct horse', null)).toBe(false);
  });

  it('wait in line up to 50, then the service is overloaded, and recovers', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash('correct horse')));
    const refused = answers.filter(({ status }) => status === 'rejected');

    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { error: 'overloaded', headers: { 'Retry-After': '1' } } });
    await expect(passwords.hash('correct horse')).resolves.toMatch(/^\$argon2id/);
  });
});
