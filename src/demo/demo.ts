import type { INestApplication } from '@nestjs/common';
import { ApiTokensService } from '../auth/api-tokens/api-tokens.service.js';
import { Credentials } from '../auth/credentials.js';
import { packageInfo } from '../common/package-info.js';
import type { Settings } from '../config/settings.js';
import { Reads } from '../database/reads.js';
import { UsersService } from '../users/users.service.js';
import { banner, localOrigin, shownPath } from './banner.js';
import { demoAdmin } from './demo-admin.js';
import { demoToken } from './demo-token.js';
import { seed, type Seeded } from './seed.js';

/** A demo that is ready to listen. */
export interface Demo {
  /** What this start has made; `null` where there were records already. */
  readonly seeded: Seeded | null;
  /** The text to print at the start, once the port is known. */
  banner(port: number): string;
}

/** Gives an application a token to try it with, and something to look at. */
export async function prepareDemo(app: INestApplication, { host, dataDir, database }: Settings): Promise<Demo> {
  const token = await demoToken(dataDir, app.get(ApiTokensService), app.get(Credentials));
  const seeded = await seed(app, token.caller);
  const admin = await demoAdmin(dataDir, app.get(UsersService));
  const posts = await countPosts(app.get(Reads));
  return {
    seeded,
    banner: (port) =>
      banner({
        version: packageInfo().version,
        secondsToStart: process.uptime(),
        origin: localOrigin(host, port),
        token: token.token,
        tokenFile: shownPath(token.file),
        admin: { ...admin, file: shownPath(admin.file) },
        database,
        posts,
      }),
  };
}

async function countPosts(reads: Reads): Promise<number> {
  const [row] = await reads.select<{ n: number | string }>(
    `SELECT COUNT(*) AS n FROM records r JOIN content_types t ON t.id = r.type_id WHERE t.name = 'post' AND r.trashed_at = 0`,
  );
  return Number(row?.n ?? 0);
}
