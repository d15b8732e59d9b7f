import type { INestApplication } from '@nestjs/common';
import { Challenges } from '../auth/proofs/challenges/challenges.js';
import { hashOf, newSecret } from '../auth/secrets/secrets.js';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { UsersService } from '../users/users.service.js';

/** A new token that signs a user in once, as the link of a mail does; no mail is sent. `null`: there is no such user. */
export async function signInTokenOf(email: string, app: INestApplication): Promise<string | null> {
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
