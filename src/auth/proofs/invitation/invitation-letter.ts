import type { Letter } from '../../../mail/letter.js';

/** With the link by which an invited user begins. */
export function invitationLetter(url: string, host: string): Letter {
  return {
    subject: `You are invited to ${host}`,
    paragraphs: [`There is an account for you at ${host}. Open this link to begin:`],
    action: { label: 'Accept the invitation', url },
    footer: 'Good once, for seven days. If you did not expect it, do nothing.',
  };
}
