import { Controller, Delete, Get, Param, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope } from '../../common/access/access.decorators.js';
import { wholeList } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { IdPipe } from '../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { invalidQuery, readPage, readQuery, UrlQuery } from '../../common/http/url-query.js';
import { answer, emptyAnswer, enveloped, listed, parameterRef, query } from '../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../common/openapi/endpoint.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { CurrentAuthority, type UserAuthority } from '../../users/roles/user-authority.js';
import type { Account } from '../../users/rows/account.js';
import { userNotFound } from '../../users/user.errors.js';
import { UsersService } from '../../users/users.service.js';
import { SESSION, sessionDto, sessionParameter } from '../sessions/lifecycle/sessions.dto.js';
import { SessionsService } from '../sessions/lifecycle/sessions.service.js';
import { API_TOKEN, tokenPage } from '../tokens/api/api-token.dto.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { tokenNotFound } from '../tokens/api/rows/token-rows.js';
import { ACCOUNT_SECURITY, AccountSecurityReader } from './account-security-reader.js';
import { UserCredentialsService, UserTokensService, type ServiceTokenFate } from './user-credentials.service.js';

const READ_USER = 'Needs `users:read` and all scopes of the role that the user has.';
const WRITE_USER = 'Needs `users:write` and all scopes of the role that the user has.';

const UserId = () => Param('id', new IdPipe(userNotFound));

/** Credentials that open the accounts of others. Shown and ended by those alone who hold all that the user may do. */
@Controller('api/users/:id')
@EndpointGroup('Users')
@Throttle(budget('users'))
@UseGuards(NoQueryGuard)
export class UserSecurityController {
  constructor(
    private readonly users: UsersService,
    private readonly security: AccountSecurityReader,
    private readonly sessions: SessionsService,
    private readonly credentials: UserCredentialsService,
  ) {}

  @Get('security')
  @RequireScope('users:read')
  @Endpoint('getUserSecurity', 'What opens the account of a user', {
    description: `The same as \`GET /api/auth/security\`, of another user. ${READ_USER}`,
    answers: { 200: answer('What opens the account.', enveloped(ACCOUNT_SECURITY)) },
    fails: ['user_not_found'],
  })
  async read(@UserId() id: number, @CurrentAuthority() authority: UserAuthority) {
    return { data: await this.security.of(await this.require(id, authority), authority.actor.sessionId) };
  }

  @Get('sessions')
  @RequireScope('users:read')
  @Endpoint('listUserSessions', 'List the sessions of a user', {
    description: `The active ones, the one that was used last first, at most a hundred. ${READ_USER}`,
    answers: { 200: answer('The sessions.', listed(SESSION)) },
    fails: ['user_not_found'],
  })
  async list(@UserId() id: number, @CurrentAuthority() authority: UserAuthority) {
    await this.require(id, authority);
    const { sessionId = '' } = authority.actor;
    return wholeList((await this.sessions.list(id)).map((session) => sessionDto(session, sessionId)));
  }

  @Delete('sessions')
  @RequireScope('users:write')
  @Endpoint('endUserSessions', 'End all sessions of a user', {
    description: `Their tokens are refused at once, and within 5 s by other instances of the service. ${WRITE_USER}`,
    answers: { 204: emptyAnswer('They have ended.') },
    fails: ['user_not_found'],
  })
  async endAll(@UserId() id: number, @CurrentAuthority() authority: UserAuthority) {
    await this.credentials.endSessions(id, authority);
  }

  @Delete('sessions/:session')
  @RequireScope('users:write')
  @Endpoint('endUserSession', 'End a session of a user', {
    description: WRITE_USER,
    parameters: [sessionParameter('session')],
    answers: { 204: emptyAnswer('The session has ended.') },
    fails: ['user_not_found', 'session_not_found'],
  })
  end(@UserId() id: number, @Param('session') session: string, @CurrentAuthority() authority: UserAuthority) {
    return this.credentials.endSession(id, session, authority);
  }

  private async require(id: number, authority: UserAuthority): Promise<Account> {
    const account = await this.users.require(id);
    authority.requireOver(account);
    return account;
  }
}

const TokenId = () => Param('token', new IdPipe(tokenNotFound));

/** The API tokens of a user, for administrators. */
@Controller('api/users/:id/tokens')
@EndpointGroup('API tokens')
@Throttle(budget('users'))
export class UserTokensController {
  constructor(
    private readonly tokens: UserTokensService,
    private readonly credentials: UserCredentialsService,
    private readonly configured: ConfiguredTokens,
  ) {}

  @Get()
  @RequireScope('users:read')
  @Endpoint('listUserTokens', 'List the API tokens of a user', {
    description:
      'Personal ones, and service tokens that the user is responsible for, the newest first. Needs `users:read` and all scopes of the role of the user.',
    parameters: [parameterRef('Page'), parameterRef('PerPage')],
    answers: { 200: answer('The tokens.', listed(API_TOKEN)) },
    fails: ['user_not_found'],
  })
  async list(@UserId() id: number, @UrlQuery() query: URLSearchParams, @CurrentAuthority() authority: UserAuthority) {
    const page = readPage(query);
    return tokenPage(await this.tokens.list(id, page, authority), page, this.configured);
  }

  @Delete()
  @RequireScope('users:write')
  @UseGuards(NoQueryGuard)
  @Endpoint('revokeUserTokens', 'Revoke the personal API tokens of a user', {
    description: 'Needs `users:write` and all scopes of the role of the user. Service tokens go on.',
    answers: { 204: emptyAnswer('None of them works any more.') },
    fails: ['user_not_found'],
  })
  endAll(@UserId() id: number, @CurrentAuthority() authority: UserAuthority) {
    return this.credentials.endTokens(id, authority);
  }

  @Delete(':token')
  @RequireScope('users:write')
  @UseGuards(NoQueryGuard)
  @Endpoint('revokeUserToken', 'Revoke an API token of a user', {
    description: 'Needs `users:write`, all scopes of the role of the user, and those of the token.',
    answers: { 204: emptyAnswer('The token is revoked.') },
    fails: ['user_not_found', 'token_not_found'],
  })
  end(@UserId() id: number, @TokenId() token: number, @CurrentAuthority() authority: UserAuthority) {
    return this.tokens.end(id, token, authority);
  }
}

/** @throws {DomainError} `invalid_query` */
function fateOf(text: string | null): ServiceTokenFate {
  if (text === null || text === 'keep') return 'keep';
  if (text === 'revoke') return text;
  throw invalidQuery('tokens', 'enum', 'tokens must be keep or revoke.');
}

/** The end of accounts, with the credentials that belong to them. */
@Controller('api/users')
@EndpointGroup('Users')
@Throttle(budget('users'))
export class UserRemovalController {
  constructor(private readonly tokens: UserTokensService) {}

  @Delete(':id')
  @RequireScope('users:write')
  @FreshSignIn()
  @Endpoint('deleteUser', 'Delete a user', {
    description:
      'For good; what the user wrote stays. Needs `users:write` and all scopes of the role that the user has. ' +
      'The last admin cannot be deleted. Personal API tokens end with the user; `Service-Tokens` says how many tokens of ' +
      'services the user was responsible for, and `tokens=revoke` ends those too.',
    parameters: [
      query('tokens', 'What becomes of service tokens that the user is responsible for.', {
        type: 'string',
        enum: ['keep', 'revoke'],
        default: 'keep',
      }),
    ],
    answers: { 204: emptyAnswer('The user is deleted.', 'Service-Tokens') },
    fails: ['user_not_found', 'last_admin'],
  })
  async remove(@UserId() id: number, @UrlQuery() query: URLSearchParams, @CurrentAuthority() authority: UserAuthority) {
    const { tokens: fate } = readQuery(query, { tokens: fateOf });
    const tokens = await this.tokens.removeUser(id, authority, fate);
    return Answer.withHeaders(undefined, { 'Service-Tokens': String(tokens) });
  }
}
