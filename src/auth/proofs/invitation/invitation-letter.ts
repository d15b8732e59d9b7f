import type { Caller } from '../../../common/access/caller.js';
import type { Letter } from '../../../mail/letter.js';
import type { Role } from '../../../users/roles/roles.js';

/** With the link by which an invited user begins: who invites them, to what, and as what. */
export function invitationLetter(actor: Caller, role: Role): (url: string, service: string) => Letter {
  const inviter = personOf(actor);
  return (url, service) => {
    const invited = inviter === null ? `You are invited to ${service}` : `${inviter} invites you to ${service}`;
    return {
      subject: invited,
      paragraphs: [`${invited}, as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}. Open this link to begin:`],
      action: { label: 'Accept the invitation', url },
      footer: 'The link works once, within seven days. If you did not expect the invitation, do nothing.',
    };
  };
}

/** The name of the person who acts; `null`: a service token, the settings or the command line does. */
function personOf({ kind, name, author }: Caller): string | null {
  if (author !== undefined) return author.kind === 'user' ? author.name : null;
  return kind === 'user' ? name : null;
}
