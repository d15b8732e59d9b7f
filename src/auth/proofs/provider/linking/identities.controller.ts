import { Controller, Delete, Get, Param, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller, FreshSignIn, RequireScope } from '../../../../common/access/access.decorators.js';
import type { Caller } from '../../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { wholeList } from '../../../../common/envelope.js';
import { IdPipe } from '../../../../common/http/routes/id.pipe.js';
import { NoQueryGuard } from '../../../../common/http/routes/no-query.guard.js';
import { answer, emptyAnswer, listed } from '../../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../../../common/openapi/endpoint.js';
import { budget } from '../../../../common/rate-limits/budgets.js';
import { Reads } from '../../../../database/statements/reads.js';
import { CurrentAuthority, type UserAuthority } from '../../../../users/roles/user-authority.js';
import { userNotFound } from '../../../../users/user.errors.js';
import { UsersService } from '../../../../users/users.service.js';
import { identitiesOf, identityDto, IDENTITY } from '../../../accounts/account-credentials.js';
import { requireSession } from '../../../tokens/access/session-ref.js';
import { identityNotFound } from '../identity/identity-provider.js';
import { UnlinkingService } from './unlinking.service.js';

/** The identities that open the account of the caller. */
@Controller('api/auth/identities')
@EndpointGroup('Sign-in')
@UseGuards(NoQueryGuard)
export class IdentitiesController {
  constructor(
    private readonly reads: Reads,
    private readonly unlinking: UnlinkingService,
  ) {}

  @Get()
  @Endpoint('listIdentities', 'List my identities', {
    description: 'What opens the account beside a password and mail, the oldest first.',
    answers: { 200: answer('The identities of the user.', listed(IDENTITY)) },
    fails: ['no_session'],
  })
  async list(@CurrentCaller() caller: Caller) {
    const found = await identitiesOf(this.reads, requireSession(caller).userId);
    return wholeList(found.map(identityDto));
  }

  @Delete(':id')
  @FreshSignIn()
  @Endpoint('unlinkIdentity', 'Unlink one of my identities', {
    description:
      'Needs a fresh sign-in. Sessions that were begun with its provider end, but the one that asks. 409 `last_credential`: nothing else lets the ' +
      'user in. 409 `managed_elsewhere`: the role of the user comes from that provider, or the identity is of a trusted issuer or a gateway.',
    answers: { 204: emptyAnswer('The identity opens the account no more.') },
    fails: ['identity_not_found', 'last_credential', 'last_admin', 'managed_elsewhere'],
  })
  async unlink(
    @Param('id', new IdPipe(identityNotFound)) id: number,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ) {
    await this.unlinking.unlinkOwn(requireSession(caller), id, caller, visitor);
  }
}

/** The identities that open the account of a user, for administrators. */
@Controller('api/users/:id/identities')
@EndpointGroup('Users')
@Throttle(budget('users'))
@UseGuards(NoQueryGuard)
export class UserIdentitiesController {
  constructor(
    private readonly reads: Reads,
    private readonly unlinking: UnlinkingService,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireScope('users:read')
  @Endpoint('listIdentitiesOfUser', 'List the identities of a user', {
    description: 'The oldest first. Needs `users:read` and all scopes of the role of the user.',
    answers: { 200: answer('The identities of the user.', listed(IDENTITY)) },
    fails: ['user_not_found'],
  })
  async list(@Param('id', new IdPipe(userNotFound)) id: number, @CurrentAuthority() authority: UserAuthority) {
    authority.requireOver(await this.users.require(id));
    return wholeList((await identitiesOf(this.reads, id)).map(identityDto));
  }

  @Delete(':identity')
  @RequireScope('users:write')
  @FreshSignIn()
  @Endpoint('unlinkIdentityOfUser', 'Unlink an identity of a user', {
    description:
      'Needs a fresh sign-in of users. Sessions that were begun with its provider end, and a role that came from it is given by admins from then on. Needs ' +
      '`users:write` and all scopes of the role that the user has. The last admin who can sign in keeps a way to sign in.',
    answers: { 204: emptyAnswer('The identity opens the account no more.') },
    fails: ['user_not_found', 'identity_not_found', 'last_admin'],
  })
  async unlink(
    @Param('id', new IdPipe(userNotFound)) id: number,
    @Param('identity', new IdPipe(identityNotFound)) identity: number,
    @CurrentAuthority() authority: UserAuthority,
  ) {
    await this.unlinking.unlinkOf(id, identity, authority);
  }
}
