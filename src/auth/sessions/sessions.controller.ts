import { Body, Controller, Delete, Get, Headers, Param, Post, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { OpenAPIV3_1 } from 'openapi-types';
import { CurrentCaller, Public } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { wholeList } from '../../common/envelope.js';
import { Answer } from '../../common/http/answer.js';
import { answer, emptyAnswer, enveloped, listed, objectOf } from '../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../common/openapi/endpoint.js';
import { UsersService } from '../../users/users.service.js';
import { AuthLimit, LimitedByHandler } from '../limits/auth-limit.js';
import { requireSession, requirePresent } from '../tokens/access/session-ref.js';
import { RefreshCookie } from '../tokens/refresh/refresh-tokens.js';
import { SignInAnswers, signedInUser, SIGNED_IN_USER, TOKEN_ANSWER } from './answers/sign-in-answers.js';
import { AMR, LogoutDto, RefreshDto, SESSION, sessionDto, sessionParameter } from './lifecycle/sessions.dto.js';
import { SessionsService } from './lifecycle/sessions.service.js';
import { PresentedTokens, RefreshService } from './refreshing/presented-tokens.js';

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };

const ME = named(
  'Me',
  objectOf(
    {
      user: { anyOf: [SIGNED_IN_USER, { type: 'null' }] },
      session: {
        anyOf: [
          objectOf(
            {
              id: { type: 'string' },
              auth_time: {
                ...INSTANT,
                type: ['string', 'null'],
                description: 'When the user proved who they are. `null`: their provider does not say.',
              },
              amr: AMR,
              expires_at: INSTANT,
            },
            { description: 'The session of the access token.' },
          ),
          { type: 'null' },
        ],
      },
      scopes: { type: 'array', items: { type: 'string' }, examples: [['records:read']] },
    },
    { description: 'Who the caller is. A program with an API token is no user and has no session.' },
  ),
);

/** Shows callers who they are. */
@Injectable()
export class MeService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws {DomainError} `invalid_token`: the user is gone */
  async of({ id, scopes, sessionId, issuerRole }: Caller) {
    const held = [...scopes];
    if (issuerRole !== undefined && id !== null) {
      const known = signedInUser(requirePresent(await this.users.find(id)));
      return { user: { ...known, role: issuerRole }, session: null, scopes: held };
    }
    if (id === null || sessionId === undefined) return { user: null, session: null, scopes: held };
    const [account, found] = await Promise.all([this.users.find(id), this.sessions.find(sessionId)]);
    const session = requirePresent(found);
    return {
      user: signedInUser(requirePresent(account)),
      session: {
        id: session.id,
        auth_time: session.authTime === 0 ? null : new Date(session.authTime).toISOString(),
        amr: session.amr.split(' '),
        expires_at: new Date(session.expiresAt).toISOString(),
      },
      scopes: held,
    };
  }
}

/** Routes about the user who is signed in, and their sessions. */
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly shown: PresentedTokens,
    private readonly me: MeService,
    private readonly cookie: RefreshCookie,
    private readonly limit: AuthLimit,
  ) {}

  @Get('me')
  @Endpoint('getMe', 'Who am I?', {
    description:
      'The user and the session of the credential, and what it may do. A program with an API token is no user; a user with the token of another issuer has no session.',
    answers: { 200: answer('The caller.', enveloped(ME)) },
  })
  async read(@CurrentCaller() caller: Caller) {
    return { data: await this.me.of(caller) };
  }

  @Get('sessions')
  @Endpoint('listSessions', 'List my sessions', {
    description: 'The one that was used last comes first.',
    answers: { 200: answer('The active sessions of the user.', listed(SESSION)) },
    fails: ['no_session'],
  })
  async list(@CurrentCaller() caller: Caller) {
    const { userId, sessionId } = requireSession(caller);
    return wholeList((await this.sessions.list(userId)).map((session) => sessionDto(session, sessionId)));
  }

  @Delete('sessions/:id')
  @Endpoint('endSession', 'End one of my sessions', {
    description: 'Its tokens are refused at once, and within 5 s by other instances of the service.',
    parameters: [sessionParameter('id')],
    answers: { 204: emptyAnswer('The session has ended.') },
    fails: ['no_session', 'session_not_found'],
  })
  async end(@Param('id') id: string, @CurrentCaller() caller: Caller, @CurrentVisitor() visitor: Visitor) {
    await this.sessions.end(requireSession(caller), id, visitor);
  }

  /** Open to those whose access token is over: the refresh token proves as much. */
  @Public()
  @Post('logout')
  @LimitedByHandler()
  @Endpoint('logout', 'Sign out', {
    description:
      'Ends the session of the access token or of the refresh token, the others of its user, or all. The refresh token ' +
      'counts if the access token is missing or over. Access tokens of an ' +
      'ended session are refused at once. Doing it again does nothing.',
    security: [{ bearer: [] }, {}],
    answers: { 204: emptyAnswer('Signed out.') },
    fails: ['unauthorized', 'invalid_token', 'invalid_refresh_token', 'csrf_rejected'],
  })
  async logout(
    @Body() { scope = 'local', refresh_token: token }: LogoutDto,
    @Headers() headers: IncomingHttpHeaders,
    @CurrentVisitor() visitor: Visitor,
  ) {
    const session = await this.limit.drawing(
      visitor,
      () => this.shown.sessionOf(token, headers),
      ({ sessionId }) => sessionId,
    );
    await this.sessions.logout(session, scope, visitor);
    return Answer.withCookies(undefined, this.cookie.clear());
  }
}

/** New access tokens for sessions that go on. */
@Public()
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class RefreshController {
  constructor(
    private readonly refreshes: RefreshService,
    private readonly shown: PresentedTokens,
    private readonly answers: SignInAnswers,
    private readonly limit: AuthLimit,
  ) {}

  @Post('refresh')
  @LimitedByHandler()
  @Endpoint('refresh', 'Get the next access token', {
    description:
      'Each refresh token gives one successor, and the same one again until that is used: after an answer that was lost, or ' +
      'in a second tab. A token whose successor was used counts as stolen: the session ends.',
    answers: { 200: answer('New tokens of the session.', TOKEN_ANSWER) },
    fails: ['invalid_refresh_token', 'refresh_token_reused', 'csrf_rejected', 'too_many_requests'],
  })
  async refresh(
    @Body() { refresh_token: token }: RefreshDto,
    @Headers() headers: IncomingHttpHeaders,
    @CurrentVisitor() visitor: Visitor,
  ) {
    const { claim, mode } = await this.limit.drawing(
      visitor,
      () => this.shown.require(token, headers),
      ({ claim: { sessionId } }) => sessionId,
      'refresh',
    );
    return this.answers.refreshed(await this.refreshes.refresh(claim, visitor), mode);
  }
}
