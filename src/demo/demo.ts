import type { INestApplication } from '@nestjs/common';
import { ApiTokensService } from '../auth/tokens/api/api-tokens.service.js';
import { CallerResolver } from '../auth/guards/caller-resolver.js';
import { packageInfo } from '../common/package-info.js';
import type { Settings } from '../config/settings.js';
import { STATUSES } from '../content-types/definition/content-type.js';
import { ContentTypesService } from '../content-types/store/content-types.service.js';
import { RecordCounts } from '../records/counting/record-counts.js';
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
  const token = await demoToken(dataDir, app.get(ApiTokensService), app.get(CallerResolver));
  const seeded = await seed(app, token.caller);
  const admin = await demoAdmin(dataDir, app.get(UsersService));
  const posts = await countPosts(app);
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

async function countPosts(app: INestApplication): Promise<number> {
  const type = await app.get(ContentTypesService).find('post');
  return type ? app.get(RecordCounts).total(type.id, STATUSES) : 0;
}
