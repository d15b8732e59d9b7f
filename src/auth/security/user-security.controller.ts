import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { RequireScope } from '../../common/access/access.decorators.js';
import { wholeList, type Envelope, type ListEnvelope } from '../../common/envelope.js';
import { IdPipe } from '../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { budget } from '../../common/rate-limits/budgets.js';
import type { Account } from '../../users/rows/account.js';
import { CurrentAuthority, type UserAuthority } from '../../users/roles/user-authority.js';
import { userNotFound } from '../../users/user.errors.js';
import { UsersService } from '../../users/users.service.js';
import { SessionDto } from '../sessions/lifecycle/sessions.dto.js';
import { SessionsService } from '../sessions/lifecycle/sessions.service.js';
import { AccountSecurityReader } from './account-security-reader.js';
import { SecurityDto } from './security.dto.js';
import { UserSessionsService } from './user-sessions.service.js';

const UserId = () => Param('id', new IdPipe(userNotFound));

/** What opens the accounts of others. Shown and ended by those alone who hold all that the user may do. */
@Controller('api/users/:id')
@Throttle(budget('users'))
@UseGuards(NoQueryGuard)
export class UserSecurityController {
  constructor(
    private readonly users: UsersService,
    private readonly security: AccountSecurityReader,
    private readonly sessions: SessionsService,
    private readonly ends: UserSessionsService,
  ) {}

  @Get('security')
  @RequireScope('users:read')
  async read(@UserId() id: number, @CurrentAuthority() authority: UserAuthority): Promise<Envelope<SecurityDto>> {
    const account = await this.require(id, authority);
    return { data: SecurityDto.from(account, await this.security.of(id), authority.actor.sessionId) };
  }

  @Get('sessions')
  @RequireScope('users:read')
  async list(@UserId() id: number, @CurrentAuthority() authority: UserAuthority): Promise<ListEnvelope<SessionDto>> {
    await this.require(id, authority);
    const { sessionId = '' } = authority.actor;
    return wholeList((await this.sessions.list(id)).map((session) => SessionDto.from(session, sessionId)));
  }

  @Delete('sessions')
  @HttpCode(204)
  @RequireScope('users:write')
  endAll(@UserId() id: number, @CurrentAuthority() authority: UserAuthority): Promise<void> {
    return this.ends.endAll(id, authority);
  }

  @Delete('sessions/:session')
  @HttpCode(204)
  @RequireScope('users:write')
  end(
    @UserId() id: number,
    @Param('session') session: string,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<void> {
    return this.ends.end(id, session, authority);
  }

  private async require(id: number, authority: UserAuthority): Promise<Account> {
    const account = await this.users.require(id);
    authority.requireOver(account);
    return account;
  }
}
