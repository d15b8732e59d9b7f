import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThanOrEqual, type EntityManager } from 'typeorm';
import { insertOrIgnore } from '../../../../database/statements/statement.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { ProviderIdentity, ProviderLogout } from '../identity/identity-provider.js';
import { invalidIdToken } from '../identity/provider.errors.js';

const PURPOSE = 'provider_logout';

type Named = Pick<ProviderIdentity, 'provider' | 'sessionId'> & { readonly subject: string | null };

/**
 * Remembers logouts for as long as an id_token counts that was made before them. Otherwise one that was kept, or is under
 * way, would begin a session after the one of the provider is over.
 */
@Injectable()
export class ProviderLogouts {
  async remember(manager: EntityManager, logout: ProviderLogout): Promise<void> {
    const { issuedAt, expiresAt } = logout;
    for (const subject of endedBy(logout)) {
      const times = { createdAt: issuedAt, expiresAt };
      await insertOrIgnore(manager, Challenge, { purpose: PURPOSE, subject, attempts: 0, ...times });
      // Logouts may arrive in another order than they were made.
      await manager.update(Challenge, { purpose: PURPOSE, subject, createdAt: LessThan(issuedAt) }, times);
    }
  }

  /**
   * To be asked once the account is held: a logout that comes later finds the session that begins.
   *
   * @throws {DomainError} `invalid_id_token`: what it says was over before it was shown
   */
  async requireNone(manager: EntityManager, identity: ProviderIdentity): Promise<void> {
    const isOver = await manager.existsBy(Challenge, {
      purpose: PURPOSE,
      subject: In(endsOf(identity)),
      // Both times are those of the provider, in whole seconds: within one nothing says which came first.
      createdAt: MoreThanOrEqual(identity.issuedAt),
    });
    if (isOver) throw invalidIdToken(new Error('the provider has ended the session since'));
  }
}

/** A session that is named may be one of which the id_token names none. */
function endedBy({ provider, subject, sessionId }: Named): readonly string[] {
  if (sessionId === null) return [keyOf(provider, 'person', subject)];
  const ofSession = keyOf(provider, 'session', sessionId);
  return subject === null ? [ofSession] : [ofSession, keyOf(provider, 'unnamed', subject)];
}

/** What a logout may have ended that ends the identity. */
function endsOf({ provider, subject, sessionId }: Named): readonly [string, string] {
  const ofSession = sessionId === null ? keyOf(provider, 'unnamed', subject) : keyOf(provider, 'session', sessionId);
  return [keyOf(provider, 'person', subject), ofSession];
}

function keyOf(provider: string, kind: 'person' | 'session' | 'unnamed', name: string | null): string {
  return hashOf(`${provider} ${kind}\n${name ?? ''}`);
}
