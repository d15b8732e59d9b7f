import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { Public } from '../../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { Answer } from '../../../../common/http/answer.js';
import { emptyAnswer, formBody } from '../../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../../../common/openapi/endpoint.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { AuthLimit, LimitedByHandler } from '../../../limits/auth-limit.js';
import { invalidLogoutToken } from '../identity/identity-provider.js';
import { ReplayGuard } from '../identity/replay-guard.js';
import { ProviderSessions } from '../linking/unlinking.service.js';
import { IdentityProviders } from '../passport/identity-providers.js';

const PROVIDER_LOGOUT = named('ProviderLogout', {
  type: 'object',
  additionalProperties: true,
  required: ['logout_token'],
  properties: {
    logout_token: {
      type: 'string',
      description: 'A JWT of the provider; its `typ` is `logout+jwt` or `JWT`, or missing.',
    },
  },
});

/** Ends sessions when the provider says that its own are over. @see OpenID Connect Back-Channel Logout 1.0 */
@Injectable()
export class BackchannelLogoutService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly unitOfWork: UnitOfWork,
    private readonly replays: ReplayGuard,
    private readonly sessions: ProviderSessions,
  ) {}

  /**
   * Ends the sessions that were begun in one of the provider, or all of its person that were begun there, also if
   * `AUTH_METHODS` has left `oidc` out meanwhile.
   *
   * @throws {DomainError} `invalid_logout_token`, `provider_not_configured`, `provider_unavailable`
   */
  async end(token: unknown, visitor: Visitor): Promise<void> {
    if (typeof token !== 'string') throw invalidLogoutToken(new Error('logout_token is missing'));
    const logout = await (await this.providers.configured('oidc')).logout(token);
    await this.unitOfWork.run(async (manager) => {
      await this.replays.spendLogout(manager, logout);
      await this.sessions.endByLogout(manager, logout, visitor);
    });
  }
}

/** Route on which the provider says that its sessions are over. */
@Public()
@Controller('api/auth/oidc')
@EndpointGroup('Sign-in')
export class BackchannelLogoutController {
  constructor(
    private readonly logout: BackchannelLogoutService,
    private readonly limit: AuthLimit,
  ) {}

  /** The provider may send more than the token. A logout of all its users comes from one address. */
  @Post('backchannel-logout')
  @LimitedByHandler()
  @Endpoint('endSessionsOfProvider', 'Take a logout of the provider', {
    description:
      'OpenID Connect Back-Channel Logout 1.0: ends the sessions that were begun in the session `sid` of the provider or, ' +
      'without one, all that the person `sub` has begun there; if the `sid` is unknown, those of `sub` that began without one. Each logout_token is taken once.',
    body: formBody(PROVIDER_LOGOUT, { logout_token: 'eyJ…' }),
    answers: { 200: emptyAnswer('Those sessions are over.') },
    fails: ['invalid_logout_token', 'provider_unavailable', 'provider_not_configured'],
  })
  async end(@Body() form: unknown, @CurrentVisitor() visitor: Visitor) {
    const { logout_token: token } = (form ?? {}) as { readonly logout_token?: unknown };
    await this.limit.drawingWhereRefused(visitor, () => this.logout.end(token, visitor));
    return Answer.empty(200);
  }
}
