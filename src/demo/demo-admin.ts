import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../common/access/caller.js';
import { UserAuthority } from '../users/roles/user-authority.js';
import type { UsersService } from '../users/users.service.js';

/** The account to sign in with. */
export interface DemoAdmin {
  readonly email: string;
  readonly password: string;
  /** Where both are kept. */
  readonly file: string;
}

const FILE = 'first-admin.txt';
const OWNER_ONLY = 0o600;
const EMAIL = 'admin@example.com';
const PASSWORD = /^password: (\S+)$/m;
const PASSWORD_BYTES = 15;
const DEMO: Caller = { kind: 'token', id: null, name: 'demo', scopes: new Set(['*']) };

/** The same admin at every start, with the same password; with a new one where the file or the user is lost. */
export async function demoAdmin(dataDir: string, users: UsersService): Promise<DemoAdmin> {
  const file = join(dataDir, FILE);
  const kept = PASSWORD.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
  const known = await users.findByEmail(EMAIL);
  if (kept !== undefined && known) return { email: EMAIL, password: kept, file };

  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const authority = new UserAuthority(DEMO);
  if (known) await users.update(known.id, { password }, authority);
  else await users.create({ email: EMAIL, name: 'Admin', role: 'admin', password, verified: true }, authority);
  await mkdir(dataDir, { recursive: true });
  await rm(file, { force: true }); // a file that exists would keep its mode
  await writeFile(file, text(password), { mode: OWNER_ONLY });
  return { email: EMAIL, password, file };
}

function text(password: string): string {
  return `The admin of the demo, in this database only.
Delete this file to get another password at the next start.

email: ${EMAIL}
password: ${password}
`;
}
