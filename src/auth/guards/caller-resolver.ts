import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import type { Visitor } from '../../common/access/visitor.js';
import { isTokenShaped } from '../tokens/api/rows/token-format.js';
import { hashOf } from '../secrets/secrets.js';
import { DeviceCookie } from '../limits/device-cookie.js';
import { VerifiedAccess } from '../tokens/access/verified-access.js';
import { VerifiedForeign } from '../issuers/verified-foreign.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { VerifiedTokens } from '../tokens/api/check/verified-tokens.js';

/** Three parts in base64url. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Resolves the caller of a bearer token of any kind: access token, API token, configured token or token of an issuer.
 */
@Injectable()
export class CallerResolver {
  constructor(
    private readonly configured: ConfiguredTokens,
    private readonly tokens: VerifiedTokens,
    private readonly access: VerifiedAccess,
    private readonly devices: DeviceCookie,
    private readonly foreign: VerifiedForeign,
  ) {}

  /**
   * `null`: a token of no caller. One of no known shape is refused without asking the database.
   *
   * @param beforeSearch awaited before the database is asked for an API token that was not good before; may throw. What
   * is asked for an access token stands behind its signature, which none but this service can make.
   * @param visitor where the request comes from, for the audit of an account that is made
   */
  async callerOf(
    token: string,
    beforeSearch?: () => Promise<void>,
    visitor: Visitor | null = null,
  ): Promise<Caller | null> {
    const hash = hashOf(token);
    const caller = this.configured.callerOf(hash);
    if (caller) return caller;
    if (isTokenShaped(token)) return this.tokens.callerOf(hash, beforeSearch);
    if (!JWT.test(token)) return null;
    return (await this.access.callerOf(token, hash)) ?? this.foreign.callerOf(token, hash, visitor);
  }

  /** The user whom the gateway names; `null`: it names none. */
  namedBy(request: ServiceRequest): Promise<Caller | null> {
    return this.foreign.namedBy(request);
  }

  /**
   * @returns what the devices have in common on which a user has signed in since the last change of the password; `null`:
   *   the cookie is none of this service
   */
  devicesOf(cookie: string): string | null {
    const device = this.devices.read(cookie);
    return device && `${device.userId}.${device.stamp}`;
  }
}
