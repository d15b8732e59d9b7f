import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import type { Caller } from '../common/access/caller.js';
import { Answer } from '../common/http/answer.js';
import { NoQueryGuard } from '../common/http/no-query.guard.js';
import { RateLimitGuard } from '../common/http/rate-limit.guard.js';
import { CreateUserDto } from './create-user.dto.js';
import { HasBodyGuard } from './has-body.guard.js';
import { UpdateUserDto } from './update-user.dto.js';
import { authorityOf } from './user-authority.js';
import { UserIdPipe } from './user-id.pipe.js';
import { UserDto } from './user.dto.js';
import { UsersService } from './users.service.js';

/** Accounts. Bare JSON, as the specification shows it: an array, an object, no envelope. */
@Controller('api/users')
@UseGuards(RateLimitGuard, NoQueryGuard)
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @RequireScope('users:read')
  async list(): Promise<UserDto[]> {
    return (await this.users.list()).map((account) => UserDto.from(account));
  }

  @Get(':id')
  @RequireScope('users:read')
  async read(@Param('id', UserIdPipe) id: number): Promise<UserDto> {
    return UserDto.from(await this.users.require(id));
  }

  @Post()
  @RequireScope('users:write')
  async create(@Body() body: CreateUserDto, @CurrentCaller() caller: Caller): Promise<Answer<UserDto>> {
    const user = UserDto.from(await this.users.create(body, authorityOf(caller)));
    return Answer.created(user, `/api/users/${user.id}`);
  }

  @Put(':id')
  @UseGuards(HasBodyGuard)
  @RequireScope('users:write')
  async replace(
    @Param('id', UserIdPipe) id: number,
    @Body() body: UpdateUserDto,
    @CurrentCaller() caller: Caller,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.update(id, body, authorityOf(caller)));
  }

  @Patch(':id')
  @UseGuards(HasBodyGuard)
  @RequireScope('users:write')
  update(
    @Param('id', UserIdPipe) id: number,
    @Body() body: UpdateUserDto,
    @CurrentCaller() caller: Caller,
  ): Promise<UserDto> {
    return this.replace(id, body, caller);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('users:write')
  remove(@Param('id', UserIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<void> {
    return this.users.remove(id, authorityOf(caller));
  }
}
