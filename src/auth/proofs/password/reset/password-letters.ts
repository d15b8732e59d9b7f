import type { Letter } from '../../../../mail/letter.js';

/** With the link for a new password. */
export function resetLetter(url: string, host: string): Letter {
  return {
    subject: `A new password for ${host}`,
    paragraphs: [`A new password was asked for, for your account at ${host}. If that was you, choose one:`],
    action: { label: 'Choose a new password', url },
    footer: 'Good once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}
