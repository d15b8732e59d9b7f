import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { RequireScope } from '../../common/access/access.decorators.js';
import type { ListEnvelope } from '../../common/envelope.js';
import { IdPipe } from '../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { readPage, UrlQuery } from '../../common/http/url-query.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { CurrentAuthority, type UserAuthority } from '../../users/roles/user-authority.js';
import { userNotFound } from '../../users/user.errors.js';
import { tokenNotFound } from '../tokens/api/rows/token-rows.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { ApiTokenDto } from '../tokens/api/api-token.dto.js';
import { PersonalTokenRevocation } from './personal-token-revocation.js';
import { UserTokensService } from './user-tokens.service.js';

const UserId = () => Param('id', new IdPipe(userNotFound));
const TokenId = () => Param('token', new IdPipe(tokenNotFound));

/** The API tokens of a user, for administrators. */
@Controller('api/users/:id/tokens')
@Throttle(budget('users'))
export class UserTokensController {
  constructor(
    private readonly tokens: UserTokensService,
    private readonly personal: PersonalTokenRevocation,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  @RequireScope('users:read')
  async list(
    @UserId() id: number,
    @UrlQuery() query: URLSearchParams,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<ListEnvelope<ApiTokenDto>> {
    const page = readPage(query);
    return ApiTokenDto.page(await this.tokens.list(id, page, authority), page, this.configured);
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('users:write')
  @UseGuards(NoQueryGuard)
  async endAll(@UserId() id: number, @CurrentAuthority() authority: UserAuthority): Promise<void> {
    await this.personal.endAll(id, authority);
  }

  @Delete(':token')
  @HttpCode(204)
  @RequireScope('users:write')
  @UseGuards(NoQueryGuard)
  async end(
    @UserId() id: number,
    @TokenId() token: number,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<void> {
    await this.tokens.end(id, token, authority);
  }
}
