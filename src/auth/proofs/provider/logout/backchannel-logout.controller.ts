import { Body, Controller, Post } from '@nestjs/common';
import { Public } from '../../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { Answer } from '../../../../common/http/answer.js';
import { AuthLimit, LimitedByHandler } from '../../../limits/auth-limit.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';

const OK = 200;

/** Where the provider says that its sessions are over. */
@Public()
@Controller('api/auth/oidc')
export class BackchannelLogoutController {
  constructor(
    private readonly logout: BackchannelLogoutService,
    private readonly limit: AuthLimit,
  ) {}

  /** The provider may send more than the token. A logout of all its users comes from one address. */
  @Post('backchannel-logout')
  @LimitedByHandler()
  async end(@Body() form: unknown, @CurrentVisitor() visitor: Visitor): Promise<Answer<undefined>> {
    const { logout_token: token } = (form ?? {}) as { readonly logout_token?: unknown };
    await this.limit.drawingWhereRefused(visitor, () => this.logout.end(token, visitor));
    return Answer.empty(OK);
  }
}
