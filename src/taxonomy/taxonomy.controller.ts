import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { type LongAnswer } from '../common/http/sending/long-answer.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { flag, readQuery, UrlQuery } from '../common/http/url-query.js';
import { TaxonomyNamePipe } from './taxonomy-name.pipe.js';
import { type Taxonomy } from './taxonomies/taxonomy.js';
import { TermManagementService } from './terms/term-management.service.js';
import { TermMergeService } from './removal/term-merge.service.js';
import { TermPages, type TermList } from './terms/term-pages.js';
import { TermDeletionService } from './removal/term-deletion.service.js';
import { termView, type TermView } from './terms/term-view.js';

const TaxonomyName = () => Param('taxonomy', TaxonomyNamePipe);

/** The terms by which records are ordered. The parameter is not called `type`: scopes narrowed to a content type say nothing here. */
@Controller('api/cms/taxonomy')
export class TaxonomyController {
  constructor(
    private readonly pages: TermPages,
    private readonly management: TermManagementService,
    private readonly removal: TermDeletionService,
    private readonly merging: TermMergeService,
  ) {}

  @Post()
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  async create(@Body() body: unknown): Promise<Answer<Envelope<TermView>>> {
    const term = await this.management.create(body);
    return Answer.created({ data: termView(term, 0) }, `/api/cms/taxonomy/${term.taxonomy}/${term.id}`);
  }

  @Get(':taxonomy')
  @RequireScope('records:read')
  list(
    @TaxonomyName() taxonomy: Taxonomy,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<TermList> | LongAnswer> {
    return this.pages.list(taxonomy, query, caller);
  }

  @Get(':taxonomy/:id')
  @UseGuards(NoQueryGuard)
  @RequireScope('records:read')
  async read(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Envelope<TermView>>> {
    return Answer.hashed(await this.pages.one(taxonomy, reference, caller));
  }

  @Put(':taxonomy/:id')
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  async update(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Envelope<TermView>> {
    const id = await this.management.update(taxonomy, reference, body);
    return this.pages.one(taxonomy, String(id), caller);
  }

  @Patch(':taxonomy/:id')
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  patch(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Envelope<TermView>> {
    return this.update(taxonomy, reference, body, caller);
  }

  @Delete(':taxonomy/:id')
  @HttpCode(204)
  @RequireScope('taxonomy:write')
  async remove(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    const { force: isForced } = readQuery(query, { force: flag });
    await this.removal.remove(taxonomy, reference, { isForced, caller });
  }

  @Post(':taxonomy/:id/merge')
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  async merge(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Envelope<TermView>> {
    const id = await this.merging.merge(taxonomy, reference, body, caller);
    return this.pages.one(taxonomy, String(id), caller);
  }
}
