import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Dialect } from '../../../../database/dialect/dialect.js';
import { execute, select } from '../../../../database/statements/statement.js';
import { hashOf } from '../../../secrets/secrets.js';
import type { ProviderIdentity, ProviderLogout } from '../identity/identity-provider.js';
import { invalidIdToken } from '../identity/provider.errors.js';

type Named = Pick<ProviderIdentity, 'provider' | 'sessionId'> & { readonly subject: string | null };

/**
 * Remembers logouts for as long as an id_token counts that was made before them. Otherwise one that was kept, or is under
 * way, would begin a session after the one of the provider is over.
 */
@Injectable()
export class ProviderLogouts {
  constructor(private readonly dialect: Dialect) {}

  async remember(manager: EntityManager, logout: ProviderLogout): Promise<void> {
    const { issuedAt, expiresAt } = logout;
    for (const subject of endedBy(logout)) {
      await execute(
        manager,
        `${this.dialect.insertOrIgnore} INTO auth_challenges (purpose, subject, attempts, created_at, expires_at) VALUES ('provider_logout', ?, 0, ?, ?)`,
        [subject, issuedAt, expiresAt],
      );
      // Logouts may arrive in another order than they were made.
      await execute(
        manager,
        "UPDATE auth_challenges SET created_at = ?, expires_at = ? WHERE purpose = 'provider_logout' AND subject = ? AND created_at < ?",
        [issuedAt, expiresAt, subject, issuedAt],
      );
    }
  }

  /**
   * To be asked once the account is held: a logout that comes later finds the session that begins.
   *
   * @throws {DomainError} `invalid_id_token`: what it says was over before it was shown
   */
  async requireNone(manager: EntityManager, identity: ProviderIdentity): Promise<void> {
    const found = await select(
      manager,
      // Both times are those of the provider, in whole seconds: within one nothing says which came first.
      "SELECT id FROM auth_challenges WHERE purpose = 'provider_logout' AND subject IN (?, ?) AND created_at >= ? LIMIT 1",
      [...endsOf(identity), identity.issuedAt],
    );
    if (found.length > 0) throw invalidIdToken(new Error('the provider has ended the session since'));
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
