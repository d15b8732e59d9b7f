import {
  Body,
  Controller,
  createParamDecorator,
  Delete,
  Get,
  Param,
  Post,
  UseGuards,
  type ExecutionContext,
} from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope, type AuthenticatedRequest } from '../../../common/access/access.decorators.js';
import type { Scope } from '../../../common/access/caller.js';
import { visitorOf } from '../../../common/access/visitor.js';
import { Answer } from '../../../common/http/answer.js';
import type { ServiceRequest } from '../../../common/http/request-context.js';
import { IdPipe } from '../../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import { readPage, UrlQuery } from '../../../common/http/url-query.js';
import { answer, emptyAnswer, enveloped, listed, parameterRef } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { requireSession } from '../access/session-ref.js';
import {
  API_TOKEN,
  API_TOKEN_CREATED,
  apiTokenDto,
  CreateOwnTokenDto,
  CreateTokenDto,
  issuedDto,
  tokenPage,
  tokenRequest,
} from './api-token.dto.js';
import { ApiTokensService, type TokenAuthority } from './api-tokens.service.js';
import { ConfiguredTokens } from './rows/configured-tokens.js';
import { tokenNotFound } from './rows/token-rows.js';

const TokenId = () => Param('id', new IdPipe(tokenNotFound));

function authorityIn(context: ExecutionContext, scope: Scope | null): TokenAuthority {
  const request = context.switchToHttp().getRequest<ServiceRequest & AuthenticatedRequest>();
  return { actor: request.caller, scope, visitor: visitorOf(request) };
}

const CurrentTokenAuthority = createParamDecorator((scope: Scope, context: ExecutionContext) =>
  authorityIn(context, scope),
);

type TokenOwner = TokenAuthority & { readonly within: { readonly kind: 'personal'; readonly ownerId: number } };

/** The signed-in user of the current request, for their own personal tokens. @throws {DomainError} `invalid_token` */
const CurrentTokenOwner = createParamDecorator((_: unknown, context: ExecutionContext): TokenOwner => {
  const authority = authorityIn(context, null);
  return { ...authority, within: { kind: 'personal', ownerId: requireSession(authority.actor).userId } };
});

const PAGE = [parameterRef('Page'), parameterRef('PerPage')];

/** All API tokens, for administrators. */
@RequireScope('tokens:write')
@Throttle(budget('users'))
@Controller('api/admin/tokens')
@EndpointGroup('API tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  @Endpoint('listApiTokens', 'List API tokens', {
    description: 'The newest first, with those that have ended.',
    parameters: PAGE,
    answers: { 200: answer('The tokens.', listed(API_TOKEN)) },
  })
  async list(@UrlQuery() query: URLSearchParams) {
    const page = readPage(query);
    return tokenPage(await this.tokens.list(page), page, this.configured);
  }

  @Post()
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  @Endpoint('createApiToken', 'Create an API token', {
    description:
      'The answer is the only one that holds the token. Needs `tokens:write` and every scope that is granted. API tokens ' +
      'make none. There are at most 100 active tokens of one owner.',
    answers: { 201: answer('The new token.', enveloped(API_TOKEN_CREATED), 'Location') },
    fails: ['too_many_tokens'],
  })
  async create(@Body() body: CreateTokenDto, @CurrentTokenAuthority('tokens:write') authority: TokenAuthority) {
    const issued = await this.tokens.create(tokenRequest(body), authority);
    return Answer.created(issuedDto(issued, this.configured), `/api/admin/tokens/${issued.apiToken.id}`);
  }

  @Get(':id')
  @UseGuards(NoQueryGuard)
  @Endpoint('getApiToken', 'Read an API token', {
    description: 'Everything but the token itself.',
    answers: { 200: answer('The token.', enveloped(API_TOKEN)) },
    fails: ['token_not_found'],
  })
  async read(@TokenId() id: number) {
    return { data: apiTokenDto(await this.tokens.require(id), this.configured) };
  }

  @Delete(':id')
  @UseGuards(NoQueryGuard)
  @Endpoint('revokeApiToken', 'Revoke an API token', {
    description: 'At once, and for good. Needs `tokens:write` and, for a token of another user, its scopes.',
    answers: { 204: emptyAnswer('The token is revoked.') },
    fails: ['token_not_found'],
  })
  async revoke(@TokenId() id: number, @CurrentTokenAuthority('tokens:write') authority: TokenAuthority) {
    await this.tokens.revoke(id, authority);
  }

  @Post(':id/rotate')
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  @Endpoint('rotateApiToken', 'Replace an API token', {
    description:
      'The new token has the same scopes and length of life; the old one works for 24 hours more. Needs `tokens:write` and ' +
      'every scope of the token; a personal token is rotated by its owner. API tokens rotate none.',
    answers: { 200: answer('The new token.', enveloped(API_TOKEN_CREATED)) },
    fails: ['token_not_found'],
  })
  async rotate(@TokenId() id: number, @CurrentTokenAuthority('tokens:write') authority: TokenAuthority) {
    return issuedDto(await this.tokens.rotate(id, authority), this.configured);
  }
}

/** The personal API tokens of the user who has signed in. */
@Controller('api/auth/tokens')
@EndpointGroup('API tokens')
export class OwnTokensController {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  @Endpoint('listMyTokens', 'List my personal tokens', {
    description: 'The newest first, with those that have ended. Takes the session of a user.',
    parameters: PAGE,
    answers: { 200: answer('The tokens.', listed(API_TOKEN)) },
  })
  async list(@UrlQuery() query: URLSearchParams, @CurrentTokenOwner() { within }: TokenOwner) {
    const page = readPage(query);
    return tokenPage(await this.tokens.list(page, within), page, this.configured);
  }

  @Post()
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  @Endpoint('createMyToken', 'Create a personal token', {
    description:
      'The answer is the only one that holds the token. It may do what its scopes say and the role of its owner allows at ' +
      'the moment, and ends when the owner is disabled or deleted, or gets another password by mail or by an administrator.',
    answers: { 201: answer('The new token.', enveloped(API_TOKEN_CREATED), 'Location') },
    fails: ['insufficient_scope', 'too_many_tokens'],
  })
  async create(@Body() body: CreateOwnTokenDto, @CurrentTokenOwner() owner: TokenOwner) {
    const issued = await this.tokens.create({ ...tokenRequest(body), kind: 'personal' }, owner);
    return Answer.created(issuedDto(issued, this.configured), '/api/auth/tokens');
  }

  @Delete(':id')
  @UseGuards(NoQueryGuard)
  @Endpoint('revokeMyToken', 'Revoke one of my personal tokens', {
    description: 'At once, and for good.',
    answers: { 204: emptyAnswer('The token is revoked.') },
    fails: ['token_not_found'],
  })
  async revoke(@TokenId() id: number, @CurrentTokenOwner() owner: TokenOwner) {
    await this.tokens.revoke(id, owner);
  }

  @Post(':id/rotate')
  @FreshSignIn()
  @UseGuards(NoQueryGuard)
  @Endpoint('rotateMyToken', 'Replace one of my personal tokens', {
    description: 'The new token has the same scopes and length of life; the old one works for 24 hours more.',
    answers: { 200: answer('The new token.', enveloped(API_TOKEN_CREATED)) },
    fails: ['token_not_found'],
  })
  async rotate(@TokenId() id: number, @CurrentTokenOwner() owner: TokenOwner) {
    return issuedDto(await this.tokens.rotate(id, owner), this.configured);
  }
}
