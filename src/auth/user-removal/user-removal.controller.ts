import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, RequireScope } from '../../common/access/access.decorators.js';
import { Answer } from '../../common/http/answer.js';
import { IdPipe } from '../../common/http/routes/id.pipe.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { CurrentAuthority, type UserAuthority } from '../../users/roles/user-authority.js';
import { userNotFound } from '../../users/user.errors.js';
import { ServiceTokensPipe, type ServiceTokenFate } from './service-tokens.pipe.js';
import { UserRemovalService } from './user-removal.service.js';

/** The end of accounts, with the credentials that belong to them. */
@Controller('api/users')
@Throttle(budget('users'))
export class UserRemovalController {
  constructor(private readonly removal: UserRemovalService) {}

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('users:write')
  @FreshSignIn()
  async remove(
    @Param('id', new IdPipe(userNotFound)) id: number,
    @UrlQuery(ServiceTokensPipe) fate: ServiceTokenFate,
    @CurrentAuthority() authority: UserAuthority,
  ): Promise<Answer<undefined>> {
    const tokens = await this.removal.remove(id, authority, fate);
    return Answer.withHeaders(undefined, { 'Service-Tokens': String(tokens) });
  }
}
