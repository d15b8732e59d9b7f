import type { INestApplication } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiTokensService } from '../auth/tokens/api/api-tokens.service.js';
import { CallerResolver } from '../auth/guards/bearer.guard.js';
import { packageInfo } from '../common/package-info.js';
import { Settings } from '../config/settings.js';
import { STATUSES } from '../content-types/definition/content-type.js';
import { DemoToken } from '../docs/demo-token.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { RecordCounts } from '../records/counting/record-counts.js';
import { UserAuthority } from '../users/roles/user-authority.js';
import { UsersService } from '../users/users.service.js';
import type { Caller } from '../common/access/caller.js';
import { banner, localOrigin, shownPath, type DemoAdmin } from './banner.js';
import { seed, type Seeded } from './seed.js';
import { Challenges } from '../auth/proofs/challenges/challenges.js';
import { hashOf, newSecret } from '../auth/secrets/secrets.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';

/** A new token that signs a user in once, as the link of a mail does; no mail is sent. `null`: there is no such user. */
async function signInTokenOf(email: string, app: INestApplication): Promise<string | null> {
  const user = await app.get(UsersService).findByEmail(email);
  const { methods, linkSeconds } = app.get(Settings).signIn;
  if (!user || !methods.has('magic-link')) return null;
  const token = newSecret();
  const challenges = app.get(Challenges);
  await app.get(UnitOfWork).run((manager) =>
    challenges.replace(manager, {
      purpose: 'sign_in',
      subject: user.email.toLowerCase(),
      userId: user.id,
      tokenHash: hashOf(token),
      context: { address: user.email, destination: null },
      expiresAt: app.get(Clock).now() + linkSeconds * 1_000,
    }),
  );
  return token;
}

export interface Demo {
  /** The records that this start has made; `null` where there were records already. */
  readonly seeded: Seeded | null;
  banner(port: number): string;
}

export async function prepareDemo(
  app: INestApplication,
  { host, dataDir, database, gateway }: Settings,
): Promise<Demo> {
  const token = await demoToken(dataDir, app.get(ApiTokensService), app.get(CallerResolver));
  app.get(DemoToken).set(token.token);
  const seeded = await seed(app, token.caller);
  const admin = await demoAdmin(dataDir, app.get(UsersService));
  const signInToken = await signInTokenOf(admin.email, app);
  const type = await app.get(ContentTypesService).find('post');
  const posts = type ? await app.get(RecordCounts).total(type.id, STATUSES) : 0;
  return {
    seeded,
    banner: (port) =>
      banner({
        version: packageInfo().version,
        secondsToStart: process.uptime(),
        origin: localOrigin(host, port),
        basePath: gateway.isBasePathStripped ? '' : gateway.basePath,
        signInToken,
        token: token.token,
        tokenFile: shownPath(token.file),
        admin: { ...admin, file: shownPath(admin.file) },
        database,
        posts,
      }),
  };
}

interface KeptToken {
  readonly token: string;
  readonly caller: Caller;
  readonly file: string;
}

/** The demo itself, for as long as it has no token. */
const DEMO: Caller = { kind: 'token', id: null, name: 'demo', scopes: new Set(['*']) };
const EMAIL = 'admin@example.com';
const OWNER_ONLY = 0o600;

/** The same token at every start; a new one where the file is lost, or the database does not know the token. */
async function demoToken(dataDir: string, tokens: ApiTokensService, credentials: CallerResolver): Promise<KeptToken> {
  const file = join(dataDir, 'first-run.txt');
  const kept = /^cms_\w+$/m.exec(await textOf(file))?.[0];
  const known = kept === undefined ? null : await credentials.callerOf(kept);
  if (kept !== undefined && known) return { token: kept, caller: known, file };

  const { token } = await tokens.create({ name: 'demo', scopes: ['*'] }, { actor: DEMO, scope: null, visitor: null });
  await keep(
    file,
    `The API token of the demo. It may do everything, in this database only.
Delete this file to get another one at the next start.

${token}
`,
  );
  return { token, caller: (await credentials.callerOf(token)) ?? DEMO, file };
}

/** The same admin at every start, with the same password; with a new one where the file or the user is lost. */
async function demoAdmin(dataDir: string, users: UsersService): Promise<DemoAdmin> {
  const file = join(dataDir, 'first-admin.txt');
  const kept = /^password: (\S+)$/m.exec(await textOf(file))?.[1];
  const known = await users.findByEmail(EMAIL);
  if (kept !== undefined && known) return { email: EMAIL, password: kept, file };

  const password = randomBytes(15).toString('base64url');
  const authority = new UserAuthority(DEMO);
  if (known) await users.update(known.id, { password }, authority);
  else await users.create({ email: EMAIL, name: 'Admin', role: 'admin', password, verified: true }, authority);
  await keep(
    file,
    `The admin of the demo, in this database only.
Delete this file to get another password at the next start.

email: ${EMAIL}
password: ${password}
`,
  );
  return { email: EMAIL, password, file };
}

/** Empty: there is no such file. */
function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

async function keep(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true }); // a file that exists would keep its mode
  await writeFile(file, text, { mode: OWNER_ONLY });
}
