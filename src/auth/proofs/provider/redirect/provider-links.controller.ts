import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CurrentCaller } from '../../../../common/access/access.decorators.js';
import type { Caller } from '../../../../common/access/caller.js';
import { IsString } from '../../../../common/dto-rules.js';
import type { Envelope } from '../../../../common/envelope.js';
import { NoQueryGuard } from '../../../../common/http/routes/no-query.guard.js';
import { answer, enveloped, objectOf } from '../../../../common/openapi/describe.js';
import { BodySchema, EndpointGroup, named } from '../../../../common/openapi/endpoint.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { IfSent } from '../../../../users/user-fields.js';
import { CODE_CHALLENGE } from '../../../exchange/exchange-codes.js';
import { requireSession } from '../../../tokens/access/session-ref.js';
import { CurrentProvider, ofEveryProvider, DescribedForEach } from '../flow/flow.js';
import { FlowQuery } from '../flow/flow-query.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { LinkTickets, TICKET_SECONDS } from './link-tickets.js';

/** Body of `POST /api/auth/{provider}/link`: what `GET /api/auth/{provider}/redirect` takes in its query. */
@BodySchema(
  'LinkStart',
  objectOf(
    {
      redirect_to: { type: 'string', description: 'Where to go in the end. One of `REDIRECT_ALLOW_LIST`, exactly.' },
      code_challenge: { type: 'string', description: 'As that of `redirect`.', pattern: CODE_CHALLENGE.source },
    },
    { required: [] },
  ),
  {},
)
export class LinkDto {
  @IfSent()
  @IsString({ message: 'redirect_to must be a string.' })
  redirect_to?: string;

  @IfSent()
  @IsString({ message: 'code_challenge must be a string.' })
  code_challenge?: string;
}

/** Where a browser goes that links an identity. */
export interface LinkAddress {
  readonly url: string;
  /** Seconds. */
  readonly expires_in: number;
}

const LINK_ADDRESS = named(
  'LinkAddress',
  objectOf({
    url: { type: 'string', description: 'To be opened by a browser.', format: 'uri' },
    expires_in: { type: 'integer', description: 'Seconds.' },
  }),
);

/** Linking identities to the account of an access token, from a page of another origin. */
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class ProviderLinksController {
  constructor(
    private readonly tickets: LinkTickets,
    private readonly query: FlowQuery,
    private readonly providers: IdentityProviders,
  ) {}

  @Post(ofEveryProvider('link'))
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  @DescribedForEach((name, title) => ({
    id: `link${title}`,
    summary: `Begin to link ${title}`,
    description:
      'For a page of another origin, whose browser can send no access token when it is sent away: the answer has an ' +
      'address to send it to, which works once, within two minutes. It shows which account is linked and asks before it goes on.',
    answers: { 200: answer('Where to send the browser.', enveloped(LINK_ADDRESS)) },
    fails: [
      'insufficient_user_authentication',
      'provider_not_configured',
      ...(name === 'oidc' ? (['provider_unavailable'] as const) : []),
    ],
  }))
  async begin(
    @CurrentProvider() provider: ProviderName,
    @CurrentCaller() caller: Caller,
    @Body() body: LinkDto,
  ): Promise<Envelope<LinkAddress>> {
    return { data: await this.address(provider, caller, body) };
  }

  /**
   * @throws {DomainError} `invalid_query`, `provider_not_configured`, `provider_unavailable`,
   *   `insufficient_user_authentication`, `invalid_token`
   */
  private async address(provider: ProviderName, caller: Caller, body: LinkDto): Promise<LinkAddress> {
    const goal = this.query.goal(body.redirect_to ?? null, body.code_challenge ?? null);
    await this.providers.require(provider);
    const { userId, sessionId: id } = requireSession(caller);
    const session = { id, authTime: caller.authTime ?? 0 };
    return { url: await this.tickets.issue(provider, { userId, session }, goal), expires_in: TICKET_SECONDS };
  }
}
