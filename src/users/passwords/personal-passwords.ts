import { foldedPassword, wordsOf } from './common-passwords.js';

/** What is known of an account to all who guess at its password. */
export interface KnownOfAccount {
  readonly name: string;
  readonly email: string;
  /** Of the service: `cms.example.com`. */
  readonly host: string;
}

/** Whether a password is the address, the name or the host, or one of them in the usual ways made longer. */
export function isPersonalPassword(password: string, { name, email, host }: KnownOfAccount): boolean {
  const local = email.slice(0, email.lastIndexOf('@'));
  const known = new Set([name, email, local, host].map(bare));
  return wordsOf(foldedPassword(password)).some((word) => known.has(bare(word)));
}

function bare(text: string): string {
  return foldedPassword(text).replace(/[\s._-]+/gu, '');
}
