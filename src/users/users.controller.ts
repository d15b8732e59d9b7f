import { applyDecorators, Body, Controller, Get, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope } from '../common/access/access.decorators.js';
import { Answer } from '../common/http/answer.js';
import { IdPipe } from '../common/http/routes/id.pipe.js';
import { pageParameters, readPage, UrlQuery, type PageQuery } from '../common/http/url-query.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { answer, parameterRef } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../common/openapi/endpoint.js';
import { budget } from '../common/rate-limits/budgets.js';
import type { Account } from './rows/account.js';
import type { ChangedUser } from './user-changes.js';
import { CurrentAuthority, type UserAuthority } from './roles/user-authority.js';
import { USER } from './user-schemas.js';
import { CreateUserDto, UpdateUserDto, UserDto } from './user.dto.js';
import { userNotFound } from './user.errors.js';
import { UsersService } from './users.service.js';

const LISTED = pageParameters({ usual: 1_000, most: 1_000 });

const UserId = () => Param('id', new IdPipe(userNotFound));

const Change = (id: string, summary: string) =>
  applyDecorators(
    RequireScope('users:write'),
    FreshSignIn('by body'),
    UseGuards(NoQueryGuard),
    Endpoint(id, summary, {
      description:
        'Fields that are not sent stay; a request that changes nothing writes nothing. `Service-Tokens` is there if the ' +
        'user is disabled or gets a role of fewer scopes. ' +
        'Needs `users:write` and all scopes of the role that the user has and of the one that is given. ' +
        'The last admin who can sign in can neither be demoted nor disabled. A role that comes from a directory is changed ' +
        'there; if an issuer names one, only a stronger one is given here. An account whose address is not proved and that ' +
        'has a password or an identity gets no role with more scopes: invite its user. Nor does one with a password that ' +
        'another user has set: its owner sets one by a mail, or a new one is sent with the role.',
      answers: { 200: answer('The user as of now.', USER, 'Service-Tokens') },
      fails: ['user_not_found', 'email_taken', 'last_admin', 'managed_elsewhere'],
    }),
  );

/** Accounts. Bare JSON, as the specification shows it. */
@Controller('api/users')
@EndpointGroup('Users')
@Throttle(budget('users'))
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequireScope('users:read')
  @Endpoint('listUsers', 'List users', {
    description:
      'Oldest first, as a bare array: a thousand on a page, which is all of them for most. `Link` leads to the pages around.',
    parameters: [parameterRef('Page'), parameterRef('PerThousand')],
    answers: { 200: answer('The users.', { type: 'array', items: USER }, 'Link') },
  })
  async list(@UrlQuery() query: URLSearchParams) {
    const page = readPage(query, LISTED);
    return pageOf(await this.users.list(page), page);
  }

  @Get(':id')
  @RequireScope('users:read')
  @UseGuards(NoQueryGuard)
  @Endpoint('getUser', 'Read a user', { answers: { 200: answer('The user.', USER) }, fails: ['user_not_found'] })
  async read(@UserId() id: number) {
    return UserDto.from(await this.users.require(id));
  }

  @Post()
  @RequireScope('users:write')
  @FreshSignIn('by body')
  @UseGuards(NoQueryGuard)
  @Endpoint('createUser', 'Create a user', {
    description: 'Needs `users:write` and all scopes of the role that is given.',
    answers: { 201: answer('The new user.', USER, 'Location') },
    fails: ['email_taken'],
  })
  async create(@Body() body: CreateUserDto, @CurrentAuthority() authority: UserAuthority) {
    const user = UserDto.from(await this.users.create(body, authority));
    return Answer.created(user, `/api/users/${user.id}`);
  }

  @Put(':id')
  @Change('updateUser', 'Change a user')
  async update(@UserId() id: number, @Body() body: UpdateUserDto, @CurrentAuthority() authority: UserAuthority) {
    return answerTo(await this.users.update(id, body, authority));
  }

  @Patch(':id')
  @Change('patchUser', 'Change a user, by another verb')
  patch(@UserId() id: number, @Body() body: UpdateUserDto, @CurrentAuthority() authority: UserAuthority) {
    return this.update(id, body, authority);
  }
}

/** The bare array of the specification, with the pages around it in `Link`. */
function pageOf(accounts: readonly Account[], { page, perPage }: PageQuery): Answer<UserDto[]> {
  const to = (place: number, rel: string): string => `<?page=${place}&per_page=${perPage}>; rel="${rel}"`;
  const links = [
    to(1, 'first'),
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(accounts.length > perPage ? [to(page + 1, 'next')] : []),
  ];
  const users = accounts.slice(0, perPage).map((account) => UserDto.from(account));
  return Answer.withHeaders(users, { Link: links.join(', ') });
}

/** Service tokens outlive the power of their owner: the answer says how many. */
function answerTo({ user, serviceTokens }: ChangedUser): Answer<UserDto> | UserDto {
  const body = UserDto.from(user);
  return serviceTokens === null ? body : Answer.withHeaders(body, { 'Service-Tokens': String(serviceTokens) });
}
