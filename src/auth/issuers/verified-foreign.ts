import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { Clock } from '../../common/clock.js';
import { ForeignTokens, type ForeignToken } from './foreign-tokens.js';
import { GatewayIdentity } from './gateway-identity.js';
import { IssuerUsers } from './issuer-users.js';

const MAX_TOKENS = 10_000;

/** Finds the callers behind tokens of trusted issuers. A signature is checked once, as long as the keys of the issuer stay the same. */
@Injectable()
export class VerifiedForeign {
  private readonly verified = new Map<string, ForeignToken>();

  constructor(
    private readonly tokens: ForeignTokens,
    private readonly users: IssuerUsers,
    private readonly clock: Clock,
    private readonly gateway: GatewayIdentity,
  ) {}

  /**
   * The user whom the gateway names in headers; `null`: it names none.
   *
   * @throws {DomainError} as {@link GatewayIdentity.callerOf}
   */
  namedBy(request: ServiceRequest): Promise<Caller | null> {
    return this.gateway.callerOf(request);
  }

  /**
   * The user with that token; `null`: it is of no trusted issuer, or not valid any more.
   *
   * @param hash of the token
   * @throws {DomainError} `role_not_granted`, `account_disabled`, `signup_closed`, `provider_unavailable`
   */
  async callerOf(token: string, hash: string, visitor: Visitor | null): Promise<Caller | null> {
    if (this.tokens.isOff) return null;
    const found = (await this.remembered(hash)) ?? (await this.read(token, hash));
    if (!found || found.expiresAt <= this.clock.now()) return null;
    return this.users.callerOf(found.person, found.issuer.rules, visitor);
  }

  private async remembered(hash: string): Promise<ForeignToken | null> {
    const found = this.verified.get(hash);
    if (!found) return null;
    return (await found.issuer.keys.current()) === found.set ? found : null;
  }

  private async read(token: string, hash: string): Promise<ForeignToken | null> {
    const found = await this.tokens.read(token);
    this.verified.delete(hash);
    if (!found) return null;
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_TOKENS && oldest !== undefined) this.verified.delete(oldest);
    this.verified.set(hash, found);
    return found;
  }
}
