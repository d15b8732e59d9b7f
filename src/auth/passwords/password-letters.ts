import type { Letter } from '../../mail/letter.js';

/** With the link for a new password. */
export function resetLetter(url: string, host: string): Letter {
  return {
    subject: `A new password for ${host}`,
    paragraphs: [`Somebody has forgotten the password of your account at ${host}. If that is you, choose a new one:`],
    action: { label: 'Choose a new password', url },
    footer: 'Good once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}

/** Tells the owner of an account that its password is another one. */
export function changedLetter(host: string): Letter {
  return {
    subject: `Your password for ${host} was changed`,
    paragraphs: [
      `The password of your account at ${host} was changed just now, and you were signed out everywhere else.`,
      'If that was not you, ask for a link for a new password at once, and tell an administrator.',
    ],
  };
}
