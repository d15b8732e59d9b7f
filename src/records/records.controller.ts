import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { type LongAnswer } from '../common/http/long-answer.js';
import { NoQueryGuard } from '../common/http/no-query.guard.js';
import { onlyFlag, UrlQuery } from '../common/http/url-query.js';
import { type CompiledType } from '../content-types/content-type.js';
import { TypeNamePipe } from '../content-types/type-name.pipe.js';
import { type ListAnswer } from './lists/record-answers.js';
import { RecordPages, versionTag } from './lists/record-pages.js';
import { type RecordView } from './record-view.js';
import { RecordsService } from './records.service.js';
import { WrittenRecords, type RestoredEnvelope } from './written-records.js';

type Written = Promise<Answer<Envelope<RecordView>>>;

@Controller('api/cms/:type')
export class RecordsController {
  constructor(
    private readonly records: RecordsService,
    private readonly pages: RecordPages,
    private readonly written: WrittenRecords,
  ) {}

  @Get()
  @RequireScope('records:read')
  browse(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<ListAnswer> {
    return this.pages.browse(type, query, caller);
  }

  @Get('-/trash')
  @RequireScope('records:delete')
  trash(
    @Param('type', TypeNamePipe) type: CompiledType,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<ListAnswer> {
    return this.pages.trash(type, query, caller);
  }

  @Get(':id')
  @RequireScope('records:read')
  read(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') id: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<RecordView>> | LongAnswer> {
    return this.pages.read(type, id, query, caller);
  }

  @Post()
  @UseGuards(NoQueryGuard)
  @RequireScope('records:create')
  async create(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Written {
    const row = await this.records.create(type, body, caller);
    return Answer.created(
      await this.written.created(type, row, caller),
      `/api/cms/${type.name}/${row.id}`,
      versionTag(row),
    );
  }

  @Put(':id')
  @UseGuards(NoQueryGuard)
  @RequireScope('records:update', 'records:update_own')
  async update(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Written {
    const row = await this.records.update(type, body, { reference, caller, ifMatch });
    // The body fitted the type, or there would be no row.
    const sent = body as Readonly<Record<string, unknown>>;
    return Answer.tagged(await this.written.changed(type, row, caller, sent), versionTag(row));
  }

  @Patch(':id')
  @UseGuards(NoQueryGuard)
  @RequireScope('records:update', 'records:update_own')
  patch(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Written {
    return this.update(type, reference, body, caller, ifMatch);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('records:delete')
  async remove(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<void> {
    await this.records.remove(type, { reference, caller, ifMatch }, onlyFlag(query, 'permanent'));
  }

  @Post(':id/restore')
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  @RequireScope('records:delete')
  async restore(
    @Param('type', TypeNamePipe) type: CompiledType,
    @Param('id') reference: string,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer<RestoredEnvelope>> {
    const restored = await this.records.restore(type, { reference, caller, ifMatch });
    return Answer.tagged(await this.written.restored(type, restored, caller), versionTag(restored.row));
  }
}
