import type { Letter } from '../../../../mail/letter.js';

/** With the link for a new password. */
export function resetLetter(url: string, service: string): Letter {
  return {
    subject: `A new password for ${service}`,
    paragraphs: [`A new password was asked for, for your account at ${service}. If that was you, choose one:`],
    action: { label: 'Choose a new password', url },
    footer: 'The link works once, within 30 minutes. If it was not you, do nothing: your password stays as it is.',
  };
}
