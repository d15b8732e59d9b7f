import { Body, Controller, Get, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope } from '../common/access/access.decorators.js';
import { Answer } from '../common/http/answer.js';
import { IdPipe } from '../common/http/routes/id.pipe.js';
import { pageParameters, readPage, UrlQuery, type PageQuery } from '../common/http/url-query.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { budget } from '../common/rate-limits/budgets.js';
import type { Account } from './rows/account.js';
import type { ChangedUser } from './user-changes.js';
import { CreateUserDto } from './create-user.dto.js';
import { UpdateUserDto } from './update-user.dto.js';
import { CurrentAuthority, type UserAuthority } from './roles/user-authority.js';
import { UserDto } from './user.dto.js';
import { userNotFound } from './user.errors.js';
import { UsersService } from './users.service.js';

/** Users of one answer. */
const LISTED = pageParameters({ usual: 1_000, most: 1_000 });

const UserId = () => Param('id', new IdPipe(userNotFound));

/** Accounts. Bare JSON, as the specification shows it: an array, an object, no envelope. */
@Controller('api/users')
@Throttle(budget('users'))
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequireScope('users:read')
  async list(@UrlQuery() query: URLSearchParams): Promise<Answer<UserDto[]>> {
    const page = readPage(query, LISTED);
    return pageOf(await this.users.list(page), page);
  }

  @Get(':id')
  @RequireScope('users:read')
  @UseGuards(NoQueryGuard)
  async read(@UserId() id: number): Promise<UserDto> {
    return UserDto.from(await this.users.require(id));
  }

  @Post()
  @RequireScope('users:write')
  @FreshSignIn('by body')
  @UseGuards(NoQueryGuard)
  async create(@Body() body: CreateUserDto, @CurrentAuthority() authority: UserAuthority): Promise<Answer<UserDto>> {
    const user = UserDto.from(await this.users.create(body, authority));
    return Answer.created(user, `/api/users/${user.id}`);
  }

  @Put(':id')
  @RequireScope('users:write')
  @FreshSignIn('by body')
  @UseGuards(NoQueryGuard)
  async update(
    @UserId() id: number,
    @Body() body: UpdateUserDto,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<Answer<UserDto> | UserDto> {
    return answerTo(await this.users.update(id, body, authority));
  }

  @Patch(':id')
  @RequireScope('users:write')
  @FreshSignIn('by body')
  @UseGuards(NoQueryGuard)
  patch(
    @UserId() id: number,
    @Body() body: UpdateUserDto,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<Answer<UserDto> | UserDto> {
    return this.update(id, body, authority);
  }
}

/** The bare array of the specification, with the pages around it in `Link`, relative to the address that was asked for. */
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

/** Service tokens outlive the power of their owner, and the answer says how many do. */
function answerTo({ user, serviceTokens }: ChangedUser): Answer<UserDto> | UserDto {
  const body = UserDto.from(user);
  return serviceTokens === null ? body : Answer.withHeaders(body, { 'Service-Tokens': String(serviceTokens) });
}
