import type { Command } from 'commander';
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
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';
import { OPERATOR } from '../operator-events.js';
import { table } from '../table.js';

const OPERATED = new UserAuthority(OPERATOR);

type Person = Record<'email' | 'name' | 'role', string>;
type CreateOptions = Person & { verified?: true; passwordStdin?: boolean };

export const userCommands: Define = (program, act) => {
  const user = program.command('user').description('Add, invite, disable and list users.');
  withPerson(user.command('create'))
    .description('Add a user. Without a password the user cannot sign in by password.')
    .option('--verified', 'You vouch that the address is theirs: the first sign-in by mail then removes nothing.')
    .option('--password-stdin', 'Read the password from standard input, where no list of processes shows it.')
    .action(act(create));
  withPerson(user.command('invite'))
    .description('Mail a new user a link to begin with, which works for seven days. Run it again for another link.')
    .action(act(invite));
  user.command('disable <id|email>').description('Keep a user out.').action(act(disable));
  user.command('list').description('List the users.').action(act(list));
  const session = program.command('session').description('Sign users out.');
  session
    .command('revoke <id|email>')
    .description('Sign a user out everywhere. Running services notice within 5 seconds.')
    .action(act(revoke));
};

function withPerson(command: Command): Command {
  return command
    .requiredOption('--email <address>', 'Where mail goes; unique.')
    .requiredOption('--name <name>', 'How others see the user.')
    .requiredOption('--role <role>', 'viewer, author, editor or admin.');
}

async function create(invocation: Invocation, options: CreateOptions): Promise<Outcome> {
  const { verified, passwordStdin, ...person } = options;
  const password = passwordStdin ? { password: (await invocation.streams.standardInput()).split(/\r?\n/, 1)[0] } : {};
  const body = await invocation.checked(CreateUserDto, { ...person, ...password });
  const account = Object.assign(body, verified && { verified });
  const user = UserDto.from(await (await invocation.get(UsersService)).create(account, OPERATED));
  return { json: user, text: `User ${user.id} "${user.name}" <${user.email}> is ${user.role}.` };
}

async function invite(invocation: Invocation, person: Person): Promise<Outcome> {
  const body = await invocation.checked(InviteDto, person);
  const user = UserDto.from(await (await invocation.get(InvitationsService)).invite(body, OPERATED));
  return { json: user, text: `User ${user.id} "${user.name}" <${user.email}> is invited as ${user.role}.` };
}

async function disable(invocation: Invocation, word: string): Promise<Outcome> {
  const users = await invocation.get(UsersService);
  const { id } = await requireUser(users, word);
  const { user, serviceTokens } = await users.disable(id, OPERATED);
  const text = `User ${user.id} <${user.email}> is disabled.`;
  const goingOn = serviceTokens
    ? ` ${counted(serviceTokens, 'service token')} of theirs ${serviceTokens === 1 ? 'goes' : 'go'} on: see token list.`
    : '';
  return { json: UserDto.from(user), text: text + goingOn };
}

async function list(invocation: Invocation): Promise<Outcome> {
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
}

async function revoke(invocation: Invocation, word: string): Promise<Outcome> {
  const user = await requireUser(await invocation.get(UsersService), word);
  const ended = await (await invocation.get(UserCredentialsService)).endSessions(user.id, OPERATED);
  const text = `User ${user.id} <${user.email}> is signed out: ${counted(ended, 'session')} ended.`;
  return { json: { id: user.id, ended }, text };
}

/** The user of an id or an address. @throws {DomainError} `user_not_found` */
async function requireUser(users: UsersService, word: string): Promise<Account> {
  const id = idOf(word);
  const user = id === null ? await users.findByEmail(word) : await users.find(id);
  if (!user) throw userNotFound(word);
  return user;
}
