import { Body, Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { RequireScope, type AuthenticatedRequest } from '../../common/access/access.decorators.js';
import { Answer } from '../../common/http/answer.js';
import { type ServiceRequest } from '../../common/http/request-context.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { type CompiledType } from '../../content-types/definition/content-type.js';
import { TypeNamePipe } from '../../content-types/type-name.pipe.js';
import { OnceRequests } from '../../idempotency/once-requests.js';
import { requireOrder } from './bulk-order.js';
import { BulkService, type BulkAnswer } from './bulk.service.js';

/** Does one thing with many records. */
@Controller('api/cms/:type/-/bulk')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly once: OnceRequests,
  ) {}

  @Post()
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  @RequireScope('records:update', 'records:update_own', 'records:publish', 'records:delete')
  carryOut(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @Req() request: ServiceRequest & AuthenticatedRequest,
  ): Promise<Answer<BulkAnswer>> {
    const order = requireOrder(body);
    // Before it is replayed, too.
    this.bulk.requireRight(type, order, request.caller);
    return this.once.runMany(request, async (isRepeated) =>
      Answer.withHeaders(await this.bulk.carryOut(type, order, request.caller, isRepeated), {}),
    );
  }
}
