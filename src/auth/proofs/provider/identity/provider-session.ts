import { hashOf } from '../../../secrets/secrets.js';
import type { ProviderIdentity } from './identity-provider.js';

/**
 * How the session at a provider lies in the database: of one length, and never that of another provider.
 * `null`: the provider named none.
 */
export function providerSession({
  provider,
  sessionId,
}: Pick<ProviderIdentity, 'provider' | 'sessionId'>): string | null {
  return sessionId === null ? null : hashOf(`${provider}\n${sessionId}`);
}
