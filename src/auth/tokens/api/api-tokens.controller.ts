import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope } from '../../../common/access/access.decorators.js';
import type { Envelope, ListEnvelope } from '../../../common/envelope.js';
import { Answer } from '../../../common/http/answer.js';
import { IdPipe } from '../../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import { readPage, UrlQuery } from '../../../common/http/url-query.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { ApiTokenDto, CreateTokenDto, tokenRequest, CreateOwnTokenDto } from './api-token.dto.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { tokenNotFound } from './rows/token-rows.js';
import { CurrentTokenAuthority, type TokenAuthority, CurrentTokenOwner, type TokenOwner } from './token-authority.js';

const TokenId = () => Param('id', new IdPipe(tokenNotFound));

type Issued = ReturnType<typeof ApiTokenDto.issued>;

/** All API tokens, for administrators. */
@RequireScope('tokens:write')
@Throttle(budget('users'))
@Controller('api/admin/tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  async list(@UrlQuery() query: URLSearchParams): Promise<ListEnvelope<ApiTokenDto>> {
    const page = readPage(query);
    return ApiTokenDto.page(await this.tokens.list(page), page, this.configured);
  }

  @Post()
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  async create(
    @Body() body: CreateTokenDto,
    @CurrentTokenAuthority('tokens:write') authority: TokenAuthority,
  ): Promise<Answer<Issued>> {
    const issued = await this.tokens.create(tokenRequest(body), authority);
    return Answer.created(ApiTokenDto.issued(issued, this.configured), `/api/admin/tokens/${issued.apiToken.id}`);
  }

  @Get(':id')
  @UseGuards(NoQueryGuard)
  async read(@TokenId() id: number): Promise<Envelope<ApiTokenDto>> {
    return { data: ApiTokenDto.from(await this.tokens.require(id), this.configured) };
  }

  @Delete(':id')
  @HttpCode(204)
  @UseGuards(NoQueryGuard)
  async revoke(@TokenId() id: number, @CurrentTokenAuthority('tokens:write') authority: TokenAuthority): Promise<void> {
    await this.tokens.revoke(id, authority);
  }

  @Post(':id/rotate')
  @FreshSignIn()
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  async rotate(
    @TokenId() id: number,
    @CurrentTokenAuthority('tokens:write') authority: TokenAuthority,
  ): Promise<Issued> {
    return ApiTokenDto.issued(await this.tokens.rotate(id, authority), this.configured);
  }
}

/** The personal API tokens of the user who has signed in. */
@Controller('api/auth/tokens')
export class OwnTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
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
    return ApiTokenDto.issued(await this.tokens.rotate(id, owner), this.configured);
  }
}
