import { idOf } from '../../common/text/names.js';
import { InviteDto } from '../../auth/proofs/invitation/invitations.controller.js';
import { InvitationsService } from '../../auth/proofs/invitation/invitations.service.js';
import { UserCredentialsService } from '../../auth/security/user-credentials.service.js';
import { counted } from '../../common/text/counted.js';
import type { Account } from '../../users/rows/account.js';
import { CreateUserDto, UserDto } from '../../users/user.dto.js';
import { UserAuthority } from '../../users/roles/user-authority.js';
import { userNotFound } from '../../users/user.errors.js';
import { UsersService } from '../../users/users.service.js';
import type { Command } from '../command.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const OPERATED = new UserAuthority(OPERATOR);

const create: Command = {
  name: 'user create',
  summary: 'Add a user. Without a password the user cannot sign in by password.',
  options: {
    email: { value: '<address>', help: 'Where mail goes; unique.', isRequired: true },
    name: { value: '<name>', help: 'How others see the user.', isRequired: true },
    role: { value: '<role>', help: 'viewer, author, editor or admin.', isRequired: true },
    verified: { help: 'You vouch that the address is theirs: the first sign-in by mail then removes nothing.' },
    'password-stdin': { help: 'Read the password from standard input, where no list of processes shows it.' },
  },
  async run({ values: { email, name, role }, switches }, invocation) {
    const password = switches.has('password-stdin')
      ? { password: (await invocation.streams.standardInput()).split(/\r?\n/, 1)[0] }
      : {};
    const body = await invocation.checked(CreateUserDto, { email, name, role, ...password });
    const account = Object.assign(body, switches.has('verified') ? { verified: true as const } : {});
    const user = UserDto.from(await (await invocation.get(UsersService)).create(account, OPERATED));
    return { json: user, text: `User ${user.id} "${user.name}" <${user.email}> is ${user.role}.` };
  },
};

const invite: Command = {
  name: 'user invite',
  summary: 'Mail a new user a link to begin with, which works for seven days. Run it again for another link.',
  options: {
    email: { value: '<address>', help: 'Where the mail goes; unique.', isRequired: true },
    name: { value: '<name>', help: 'How others see the user.', isRequired: true },
    role: { value: '<role>', help: 'viewer, author, editor or admin.', isRequired: true },
  },
  async run({ values: { email, name, role } }, invocation) {
    const body = await invocation.checked(InviteDto, { email, name, role });
    const user = UserDto.from(await (await invocation.get(InvitationsService)).invite(body, OPERATED));
    return { json: user, text: `User ${user.id} "${user.name}" <${user.email}> is invited as ${user.role}.` };
  },
};

const disable: Command = {
  name: 'user disable',
  summary: 'Keep a user out.',
  positionals: ['<id|email>'],
  async run({ positionals: [word = ''] }, invocation) {
    const users = await invocation.get(UsersService);
    const { id } = await requireUser(users, word);
    const { user, serviceTokens } = await users.disable(id, OPERATED);
    const text = `User ${user.id} <${user.email}> is disabled.`;
    const goingOn = serviceTokens
      ? ` ${counted(serviceTokens, 'service token')} of theirs ${serviceTokens === 1 ? 'goes' : 'go'} on: see token list.`
      : '';
    return { json: UserDto.from(user), text: text + goingOn };
  },
};

const list: Command = {
  name: 'user list',
  summary: 'List the users.',
  async run(_, invocation) {
    const accounts = await (await invocation.get(UsersService)).list();
    const users = accounts.map((account) => UserDto.from(account));
    const rows = users.map(({ id, email, name, role, disabled }) => [
      String(id),
      email,
      role,
      disabled ? 'disabled' : 'active',
      name,
    ]);
    return { json: users, text: table(['ID', 'EMAIL', 'ROLE', 'STATE', 'NAME'], rows) };
  },
};

const revoke: Command = {
  name: 'session revoke',
  summary: 'Sign a user out everywhere. Running services notice within 5 seconds.',
  positionals: ['<id|email>'],
  async run({ positionals: [word = ''] }, invocation) {
    const user = await requireUser(await invocation.get(UsersService), word);
    const ended = await (await invocation.get(UserCredentialsService)).endSessions(user.id, OPERATED);
    const text = `User ${user.id} <${user.email}> is signed out: ${counted(ended, 'session')} ended.`;
    return { json: { id: user.id, ended }, text };
  },
};

export const userCommands: readonly Command[] = [create, invite, disable, list, revoke];

/** The user of an id or an address. @throws {DomainError} `user_not_found` */
async function requireUser(users: UsersService, word: string): Promise<Account> {
  const id = idOf(word);
  const user = id === null ? await users.findByEmail(word) : await users.find(id);
  if (!user) throw userNotFound(word);
  return user;
}
