import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiTokensService } from '../auth/tokens/api/api-tokens.service.js';
import type { CallerResolver } from '../auth/guards/caller-resolver.js';
import type { Caller } from '../common/access/caller.js';

/** The token that the demo shows, and the caller that it stands for. */
export interface DemoToken {
  readonly token: string;
  readonly caller: Caller;
  /** Where it is kept. */
  readonly file: string;
}

const FILE = 'first-run.txt';
const OWNER_ONLY = 0o600;
const TOKEN = /^cms_\w+$/m;
/** The demo itself, for as long as it has no token. */
const DEMO: Caller = { kind: 'token', id: null, name: 'demo', scopes: new Set(['*']) };

/** The same token at every start; a new one where the file is lost, or the database does not know the token. */
export async function demoToken(
  dataDir: string,
  tokens: ApiTokensService,
  credentials: CallerResolver,
): Promise<DemoToken> {
  const file = join(dataDir, FILE);
  const kept = TOKEN.exec(await readFile(file, 'utf8').catch(() => ''))?.[0];
  const known = kept === undefined ? null : await credentials.callerOf(kept);
  if (kept !== undefined && known) return { token: kept, caller: known, file };

  const { token } = await tokens.create({ name: 'demo', scopes: ['*'] }, { actor: DEMO, scope: null, visitor: null });
  await mkdir(dataDir, { recursive: true });
  await rm(file, { force: true }); // a file that exists would keep its mode
  await writeFile(file, text(token), { mode: OWNER_ONLY });
  return { token, caller: (await credentials.callerOf(token)) ?? DEMO, file };
}

function text(token: string): string {
  return `The API token of the demo. It may do everything, in this database only.
Delete this file to get another one at the next start.

${token}
`;
}
