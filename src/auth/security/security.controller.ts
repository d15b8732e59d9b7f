import { Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import type { Envelope } from '../../common/envelope.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { UsersService } from '../../users/users.service.js';
import { requirePresent, requireSession } from '../tokens/access/session-ref.js';
import { AccountSecurityReader } from './account-security-reader.js';
import { LockDownAnswers, type LockDownAnswer } from './lock-down-answers.js';
import { SecurityDto } from './security.dto.js';

/** What opens one's own account. */
@Controller('api/auth/security')
@UseGuards(NoQueryGuard)
export class SecurityController {
  constructor(
    private readonly users: UsersService,
    private readonly security: AccountSecurityReader,
    private readonly lockDown: LockDownAnswers,
  ) {}

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<Envelope<SecurityDto>> {
    const { userId, sessionId } = requireSession(caller);
    const [account, security] = await Promise.all([this.users.find(userId), this.security.of(userId)]);
    return { data: SecurityDto.from(requirePresent(account), security, sessionId) };
  }

  /** Asks for no fresh sign-in: it is for emergencies, and takes nothing from anybody but the caller. */
  @Post('lock-down')
  @HttpCode(200)
  lock(@CurrentCaller() caller: Caller, @CurrentVisitor() visitor: Visitor): Promise<LockDownAnswer> {
    return this.lockDown.bySession(requireSession(caller), visitor);
  }
}
