import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller, FreshSignIn, RequireScope } from '../../../../common/access/access.decorators.js';
import type { Caller } from '../../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { wholeList, type ListEnvelope } from '../../../../common/envelope.js';
import { IdPipe } from '../../../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../../../common/http/routes/no-query.guard.js';
import { budget } from '../../../../common/rate-limits/budgets.js';
import { CurrentAuthority, type UserAuthority } from '../../../../users/roles/user-authority.js';
import { userNotFound } from '../../../../users/user.errors.js';
import { UsersService } from '../../../../users/users.service.js';
import { LinkedIdentities, IdentityDto } from '../../../accounts/linked-identities.js';
import { requireSession } from '../../../tokens/access/session-ref.js';
import { identityNotFound } from '../identity/provider.errors.js';
import { UnlinkingService } from './unlinking.service.js';

/** The identities that open the account of the caller. */
@Controller('api/auth/identities')
@UseGuards(NoQueryGuard)
export class IdentitiesController {
  constructor(
    private readonly identities: LinkedIdentities,
    private readonly unlinking: UnlinkingService,
  ) {}

  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<ListEnvelope<IdentityDto>> {
    const found = await this.identities.list(requireSession(caller).userId);
    return wholeList(found.map((identity) => IdentityDto.from(identity)));
  }

  @Delete(':id')
  @HttpCode(204)
  @FreshSignIn()
  async unlink(
    @Param('id', new IdPipe(identityNotFound)) id: number,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<void> {
    await this.unlinking.unlinkOwn(requireSession(caller), id, caller, visitor);
  }
}

/** The identities that open the account of a user, for administrators. */
@Controller('api/users/:id/identities')
@Throttle(budget('users'))
@UseGuards(NoQueryGuard)
export class UserIdentitiesController {
  constructor(
    private readonly identities: LinkedIdentities,
    private readonly unlinking: UnlinkingService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireScope('users:read')
  async list(
    @Param('id', new IdPipe(userNotFound)) id: number,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<ListEnvelope<IdentityDto>> {
    authority.requireOver(await this.users.require(id));
    return wholeList((await this.identities.list(id)).map((identity) => IdentityDto.from(identity)));
  }

  @Delete(':identity')
  @HttpCode(204)
  @RequireScope('users:write')
  @FreshSignIn()
  async unlink(
    @Param('id', new IdPipe(userNotFound)) id: number,
    @Param('identity', new IdPipe(identityNotFound)) identity: number,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<void> {
    await this.unlinking.unlinkOf(id, identity, authority);
  }
}
