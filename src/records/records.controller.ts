import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Req, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope, type AuthenticatedRequest } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope } from '../common/envelope.js';
import { Answer, versionTag } from '../common/http/answer.js';
import { knownQuery } from '../common/http/routes/known-query.guard.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { type ServiceRequest } from '../common/http/request-context.js';
import { flag, UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/definition/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { OnceRequests } from '../idempotency/once-requests.js';
import { type RecordRow } from './rows/record-row.js';
import { RecordQueries, type ListAnswer } from './reading/record-queries.js';
import { type RecordView } from './rows/record-views.js';
import { CurrentTarget } from './current-target.js';
import { RecordsService, type Target } from './records.service.js';
import { WrittenRecords, type RestoredEnvelope } from './written-records.js';

type Written = Promise<Answer<Envelope<RecordView>>>;

@Controller('api/cms/:type')
export class RecordsController {
  constructor(
    private readonly records: RecordsService,
    private readonly queries: RecordQueries,
    private readonly written: WrittenRecords,
    private readonly once: OnceRequests,
  ) {}

  @Get()
  @RequireScope('records:read')
  browse(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<ListAnswer> {
    return this.queries.browse(type, query, caller);
  }

  @Get('-/trash')
  @RequireScope('records:delete')
  trash(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<ListAnswer> {
    return this.queries.trash(type, query, caller);
  }

  @Get(':id')
  @RequireScope('records:read')
  read(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') id: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): ReturnType<RecordQueries['read']> {
    return this.queries.read(type, id, query, caller);
  }

  @Post()
  @UseGuards(NoQueryGuard)
  @RequireScope('records:create')
  async create(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @Req() request: ServiceRequest & AuthenticatedRequest,
  ): Written {
    if (request.headers['idempotency-key'] === undefined) {
      return this.created(type, await this.records.create(type, body, caller), caller);
    }
    return this.once.run(request, {
      write: async (once) => this.created(type, await this.records.create(type, body, caller, once), caller),
      read: async (id) => this.created(type, await this.records.created(type, id, caller), caller),
    });
  }

  @Put(':id')
  @UseGuards(knownQuery('locale'))
  @RequireScope('records:update', 'records:update_own')
  async update(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
  ): Written {
    const row = await this.records.update(type, body, target);
    // The body fitted the type, or there would be no row.
    const sent = body as Readonly<Record<string, unknown>>;
    const written = await this.written.changed(type, row, target.caller, sent);
    return Answer.tagged(written, versionTag(row));
  }

  @Patch(':id')
  @UseGuards(knownQuery('locale'))
  @RequireScope('records:update', 'records:update_own')
  patch(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentTarget() target: Target,
  ): Written {
    return this.update(type, body, target);
  }

  @Delete(':id')
  @HttpCode(204)
  @UseGuards(knownQuery('locale', 'permanent'))
  @RequireScope('records:delete')
  async remove(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentTarget() target: Target,
  ): Promise<void> {
    await this.records.remove(type, target, { isPermanent: flag(query.get('permanent'), 'permanent') });
  }

  @Post(':id/restore')
  @HttpCode(200)
  @UseGuards(knownQuery('locale'))
  @RequireScope('records:delete')
  async restore(
    @Param('type', TypeNamePipe) type: CompiledType,
    @CurrentTarget() target: Target,
  ): Promise<Answer<RestoredEnvelope>> {
    const restored = await this.records.restore(type, target);
    const { row } = restored;
    const written = await this.written.restored(type, restored, target.caller);
    return Answer.tagged(written, versionTag(row));
  }

  private async created(type: CompiledType, row: RecordRow, caller: Caller): Written {
    const isNew = row.version === 1;
    const written = await (isNew ? this.written.created(type, row) : this.written.changed(type, row, caller));
    return Answer.created(written, `/api/cms/${type.name}/${row.id}`, versionTag(row));
  }
}
