import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentInitiator, type Initiator } from '../common/access/initiator.js';
import { CurrentCaller, FreshSignIn, RequireScope } from '../common/access/access.decorators.js';
import type { Caller } from '../common/access/caller.js';
import { type Envelope, type ListEnvelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { ConfirmationPipe } from '../common/http/routes/confirmation.pipe.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { UrlQuery } from '../common/http/url-query.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import { TaxonomyManagementService } from './taxonomies/taxonomy-management.service.js';
import { TaxonomyNamePipe } from './taxonomy-name.pipe.js';
import { TaxonomyRemovalService } from './removal/taxonomy-removal.service.js';
import { taxonomyList, taxonomyView, versionTag, type TaxonomyView } from './taxonomies/taxonomy-view.js';
import { type Taxonomy } from './taxonomies/taxonomy.js';

/** The taxonomies for those who declare them. */
@RequireScope('types:write')
@Controller('api/admin/taxonomies')
export class TaxonomyManagementController {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly management: TaxonomyManagementService,
    private readonly removal: TaxonomyRemovalService,
  ) {}

  @Get()
  @UseGuards(NoQueryGuard)
  async list(): Promise<Answer<ListEnvelope<TaxonomyView>>> {
    return Answer.hashed(taxonomyList(await this.taxonomies.latest()));
  }

  @Get(':taxonomy')
  @UseGuards(NoQueryGuard)
  async read(@Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy): Promise<Answer<Envelope<TaxonomyView>>> {
    return tagged(await this.taxonomies.requireLatest(taxonomy));
  }

  @Post()
  @UseGuards(NoQueryGuard)
  async create(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Answer<Envelope<TaxonomyView>>> {
    const taxonomy = await this.management.create(body, caller);
    const location = `/api/admin/taxonomies/${taxonomy.name}`;
    return Answer.created({ data: taxonomyView(taxonomy) }, location, versionTag(taxonomy));
  }

  @Put(':taxonomy')
  @UseGuards(NoQueryGuard)
  async change(
    @Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer<Envelope<TaxonomyView>>> {
    return tagged(await this.management.change(taxonomy, body, { ifMatch, caller }));
  }

  @Delete(':taxonomy')
  @HttpCode(204)
  @FreshSignIn()
  async remove(
    @Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy,
    @UrlQuery(ConfirmationPipe) confirm: string | null,
    @CurrentInitiator() { actor: caller, visitor }: Initiator,
  ): Promise<void> {
    await this.removal.remove(taxonomy, { confirm, caller, visitor });
  }
}

function tagged(taxonomy: Taxonomy): Answer<Envelope<TaxonomyView>> {
  return Answer.tagged({ data: taxonomyView(taxonomy) }, versionTag(taxonomy));
}
