import { Body, Controller, Post } from '@nestjs/common';
import { Public } from '../../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { Answer } from '../../../../common/http/answer.js';
import { emptyAnswer, formBody } from '../../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../../../common/openapi/endpoint.js';
import { AuthLimit, LimitedByHandler } from '../../../limits/auth-limit.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';

const OK = 200;

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

/** Where the provider says that its sessions are over. */
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
  async end(@Body() form: unknown, @CurrentVisitor() visitor: Visitor): Promise<Answer<undefined>> {
    const { logout_token: token } = (form ?? {}) as { readonly logout_token?: unknown };
    await this.limit.drawingWhereRefused(visitor, () => this.logout.end(token, visitor));
    return Answer.empty(OK);
  }
}
