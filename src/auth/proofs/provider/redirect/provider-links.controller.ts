import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CurrentCaller } from '../../../../common/access/access.decorators.js';
import type { Caller } from '../../../../common/access/caller.js';
import type { Envelope } from '../../../../common/envelope.js';
import { NoQueryGuard } from '../../../../common/http/routes/no-query.guard.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { LinkDto } from './link.dto.js';
import { ProviderLinks, type LinkAddress } from './provider-links.js';
import { CurrentProvider, ofEveryProvider } from '../flow/provider-route.js';

/** Linking identities to the account of an access token, from a page of another origin. */
@Controller('api/auth')
export class ProviderLinksController {
  constructor(private readonly links: ProviderLinks) {}

  @Post(ofEveryProvider('link'))
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  async begin(
    @CurrentProvider() provider: ProviderName,
    @CurrentCaller() caller: Caller,
    @Body() body: LinkDto,
  ): Promise<Envelope<LinkAddress>> {
    return { data: await this.links.begin(provider, caller, body) };
  }
}
