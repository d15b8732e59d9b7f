import { createHash } from 'node:crypto';
import { isCommonPassword, isPersonalPassword } from './passwords.js';

describe('Passwords that are guessed first', () => {
  it.each([
    'password1234567',
    'qwerty12345678',
    '123456789qwe',
    'administrator123',
    'Summer2026!!',
    'passwordpassword',
    'letmeinletmein',
    'letmeinletmein1',
    'changemechangeme',
    'CorrectHorseBatteryStaple',
    'dragon1111111',
    'ＰＡＳＳＷＯＲＤ1234',
    'aaaaaaaaaaaa',
    '123456789012',
    'justinbieber',
  ])('are common: %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'another long password',
    'a sentence of my own making',
    'zwei Igel im Nebel',
    'x7!kQp2#mZ9v',
  ])('are not: %s', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  it('are hardly ever at random: the filter takes at most 5 in 100,000 for frequent ones', () => {
    const random = Array.from({ length: 100_000 }, (_, n) =>
      createHash('sha256').update(`password ${n}`).digest('base64url').slice(0, 16),
    );

    expect(random.filter(isCommonPassword).length).toBeLessThanOrEqual(5);
  });
});

describe('Passwords that an account tells', () => {
  const ann = { name: 'Ann Example-Miller', email: 'ann.miller@corp.example', host: 'cms.corp.example' };

  it.each([
    'ann.miller@corp.example',
    'Ann.Miller@Corp.Example1',
    'annexample-miller',
    'Ann Example-Miller 2026',
    'ann.miller2026!',
    'cms.corp.example',
    'cms.corp.example123',
  ])('are personal: %s', (password) => {
    expect(isPersonalPassword(password, ann)).toBe(true);
  });

  it.each(['my cat is called Ann', 'a long walk to example', 'correct horse battery'])('are not: %s', (password) => {
    expect(isPersonalPassword(password, ann)).toBe(false);
  });
});
