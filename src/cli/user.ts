import { idOf } from '../common/id.js';
import type { Account } from '../users/account.js';
import { CreateUserDto } from '../users/create-user.dto.js';
import { UserDto } from '../users/user.dto.js';
import { userNotFound } from '../users/user.errors.js';
import { UsersService } from '../users/users.service.js';
import type { Command } from './command.js';
import { table } from './table.js';

const create: Command = {
  name: 'user create',
  summary: 'Add a user. Without a password the user cannot sign in by password.',
  options: {
    email: { value: '<address>', help: 'Where mail goes; unique.', isRequired: true },
    name: { value: '<name>', help: 'How others see the user.', isRequired: true },
    role: { value: '<role>', help: 'viewer, author, editor or admin.', isRequired: true },
    'password-stdin': { help: 'Read the password from standard input, where no list of processes shows it.' },
  },
  async run({ texts: { email, name, role }, switches }, session) {
    const password = switches.has('password-stdin') ? { password: firstLine(await session.standardInput()) } : {};
    const body = await session.checked(CreateUserDto, { email, name, role, ...password });
    const user = UserDto.from(await (await session.get(UsersService)).create(body));
    return { json: user, text: `User ${user.id} "${user.name}" <${user.email}> is ${user.role}.` };
  },
};

const disable: Command = {
  name: 'user disable',
  summary: 'Keep a user out.',
  takes: ['<id|email>'],
  async run({ words: [word = ''] }, session) {
    const users = await session.get(UsersService);
    const { id } = await requireUser(users, word);
    const user = UserDto.from(await users.disable(id));
    return { json: user, text: `User ${user.id} <${user.email}> is disabled.` };
  },
};

const list: Command = {
  name: 'user list',
  summary: 'List the users.',
  async run(_, session) {
    const accounts = await (await session.get(UsersService)).list();
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

export const userCommands: readonly Command[] = [create, disable, list];

async function requireUser(users: UsersService, word: string): Promise<Account> {
  const id = idOf(word);
  const user = id === null ? await users.findByEmail(word) : await users.find(id);
  if (!user) throw userNotFound(word);
  return user;
}

/** What was typed or piped, without the line end that `echo` adds. */
function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}
