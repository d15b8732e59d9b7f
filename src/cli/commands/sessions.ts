import { SessionsService } from '../../auth/sessions/lifecycle/sessions.service.js';
import { counted } from '../../common/text/counted.js';
import { UsersService } from '../../users/users.service.js';
import type { Command } from '../command.js';
import { OPERATOR } from '../operator-events.js';
import { requireUser } from './user.js';

const revoke: Command = {
  name: 'session revoke',
  summary: 'Sign a user out everywhere. Running services notice within 5 seconds.',
  positionals: ['<id|email>'],
  async run({ positionals: [word = ''] }, invocation) {
    const user = await requireUser(await invocation.get(UsersService), word);
    const ended = await (await invocation.get(SessionsService)).endAll(user, OPERATOR);
    const text = `User ${user.id} <${user.email}> is signed out: ${counted(ended, 'session')} ended.`;
    return { json: { id: user.id, ended }, text };
  },
};

export const sessionCommands: readonly Command[] = [revoke];
