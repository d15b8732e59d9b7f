import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import type { Envelope, ListEnvelope } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { IdPipe } from '../../common/http/id.pipe.js';
import { NoQueryGuard } from '../../common/http/no-query.guard.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { tokenNotFound } from './api-token.errors.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ApiTokenDto } from './dto/api-token.dto.js';
import { CreateTokenDto } from './dto/create-token.dto.js';
import { tokenPage } from './token-page.js';

const TokenId = () => Param('id', new IdPipe(tokenNotFound));

type Issued = ReturnType<typeof ApiTokenDto.issued>;

/** Credentials of programs. */
@RequireScope('tokens:write')
@Controller('api/admin/tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokensService) {}

  @Get()
  async list(@UrlQuery() query: URLSearchParams): Promise<ListEnvelope<ApiTokenDto>> {
    const page = tokenPage(query);
    return ApiTokenDto.page(await this.tokens.list(page), page);
  }

  @Post()
  @UseGuards(NoQueryGuard)
  async create(
    @Body() body: CreateTokenDto,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Answer<Issued>> {
    const issued = await this.tokens.create(CreateTokenDto.order(body), caller, visitor);
    return Answer.created(ApiTokenDto.issued(issued), `/api/admin/tokens/${issued.apiToken.id}`);
  }

  @Get(':id')
  @UseGuards(NoQueryGuard)
  async read(@TokenId() id: number): Promise<Envelope<ApiTokenDto>> {
    return { data: ApiTokenDto.from(await this.tokens.require(id)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @UseGuards(NoQueryGuard)
  async revoke(
    @TokenId() id: number,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<void> {
    await this.tokens.revoke(id, caller, visitor);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  async rotate(
    @TokenId() id: number,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Issued> {
    return ApiTokenDto.issued(await this.tokens.rotate(id, caller, visitor));
  }
}
