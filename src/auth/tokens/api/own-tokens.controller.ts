import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { FreshSignIn } from '../../../common/access/access.decorators.js';
import type { ListEnvelope } from '../../../common/envelope.js';
import { Answer } from '../../../common/http/answer.js';
import { IdPipe } from '../../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import { readPage, UrlQuery } from '../../../common/http/url-query.js';
import { tokenNotFound } from './rows/api-token.errors.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { ApiTokensService } from './api-tokens.service.js';
import { TokenRotation } from './token-rotation.js';
import { ApiTokenDto } from './api-token.dto.js';
import { CreateOwnTokenDto, tokenRequest } from './create-token.dto.js';
import { CurrentTokenOwner, type TokenOwner } from './token-authority.js';

const TokenId = () => Param('id', new IdPipe(tokenNotFound));

type Issued = ReturnType<typeof ApiTokenDto.issued>;

/** The personal API tokens of the user who has signed in. */
@Controller('api/auth/tokens')
export class OwnTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly rotation: TokenRotation,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  async list(
    @UrlQuery() query: URLSearchParams,
    @CurrentTokenOwner() { within }: TokenOwner,
  ): Promise<ListEnvelope<ApiTokenDto>> {
    const page = readPage(query);
    return ApiTokenDto.page(await this.tokens.list(page, within), page, this.configured);
  }

  @Post()
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  async create(@Body() body: CreateOwnTokenDto, @CurrentTokenOwner() owner: TokenOwner): Promise<Answer<Issued>> {
    const issued = await this.tokens.create({ ...tokenRequest(body), kind: 'personal' }, owner);
    return Answer.created(ApiTokenDto.issued(issued, this.configured), '/api/auth/tokens');
  }

  @Delete(':id')
  @HttpCode(204)
  @UseGuards(NoQueryGuard)
  async revoke(@TokenId() id: number, @CurrentTokenOwner() owner: TokenOwner): Promise<void> {
    await this.tokens.revoke(id, owner);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  async rotate(@TokenId() id: number, @CurrentTokenOwner() owner: TokenOwner): Promise<Issued> {
    return ApiTokenDto.issued(await this.rotation.rotate(id, owner), this.configured);
  }
}
