import { Body, Controller, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { RequireScope, type AuthenticatedRequest } from '../common/access/access.decorators.js';
import { type Envelope } from '../common/envelope.js';
import { type Answer } from '../common/http/answer.js';
import { type ServiceRequest } from '../common/http/request-context.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { OnceRequests } from '../idempotency/once-requests.js';
import { CurrentTarget } from '../records/current-target.js';
import { type Target } from '../records/records.service.js';
import { type RecordRow } from '../records/rows/record-row.js';
import { type RecordView } from '../records/rows/record-views.js';
import { PublishDto, UnpublishDto } from './publish.dto.js';
import { Publisher } from './publisher.js';

type Sent = ServiceRequest & AuthenticatedRequest;
type Written = Promise<Answer<Envelope<RecordView>>>;

/** Publishes and withdraws a record, and folds its working copy in. */
@Controller('api/cms/:type/:id')
@UseGuards(knownQuery('locale'))
export class PublishingController {
  constructor(
    private readonly publisher: Publisher,
    private readonly once: OnceRequests,
  ) {}

  @Post('publish')
  @HttpCode(200)
  @RequireScope('records:publish')
  publish(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: PublishDto,
    @CurrentTarget() target: Target,
    @Req() request: Sent,
  ): Written {
    return this.answered(type, target, request, (once) => this.publisher.publish(type, { ...target, once }, body));
  }

  @Post('draft/apply')
  @HttpCode(200)
  @RequireScope('records:update', 'records:update_own')
  apply(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: PublishDto,
    @CurrentTarget() target: Target,
    @Req() request: Sent,
  ): Written {
    return this.answered(type, target, request, (once) => this.publisher.apply(type, { ...target, once }, body));
  }

  @Post('unpublish')
  @HttpCode(200)
  @RequireScope('records:publish')
  async unpublish(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: UnpublishDto,
    @CurrentTarget() target: Target,
  ): Written {
    const row = await this.publisher.unpublish(type, target, body);
    return this.publisher.answer(type, row, target.caller);
  }

  private answered(
    type: CompiledType,
    { caller }: Target,
    request: Sent,
    write: (once: Target['once']) => Promise<RecordRow>,
  ): Written {
    return this.once.run(request, {
      write: async (once) => this.publisher.answer(type, await write(once), caller),
      read: (id) => this.publisher.again(type, id, caller),
    });
  }
}
