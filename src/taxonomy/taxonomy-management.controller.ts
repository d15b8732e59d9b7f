import { Body, Controller, Delete, Get, Headers, Param, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentInitiator, type Initiator } from '../common/access/initiator.js';
import { CurrentCaller, FreshSignIn, RequireScope } from '../common/access/access.decorators.js';
import type { Caller } from '../common/access/caller.js';
import { wholeList, type Envelope, type ListEnvelope } from '../common/envelope.js';
import { Answer, versionTag } from '../common/http/answer.js';
import { ConfirmationPipe } from '../common/http/routes/confirmation.pipe.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { UrlQuery } from '../common/http/url-query.js';
import { answer, emptyAnswer, enveloped, jsonBody, parameterRef, query } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../common/openapi/endpoint.js';
import { TaxonomiesService } from './taxonomies/taxonomies.service.js';
import { TaxonomyManagementService } from './taxonomy-management.service.js';
import { TaxonomyNamePipe } from './taxonomy-name.pipe.js';
import { TAXONOMY_CREATE, TAXONOMY_UPDATE } from './taxonomies/taxonomy-input.js';
import { TAXONOMY, TAXONOMY_LIST, taxonomyView, type TaxonomyView } from './taxonomies/taxonomy-view.js';
import { type Taxonomy } from './taxonomies/taxonomy.js';

/** The taxonomies for those who declare them. */
@RequireScope('types:write')
@Controller('api/admin/taxonomies')
@EndpointGroup('Taxonomy')
export class TaxonomyManagementController {
  constructor(
    private readonly taxonomies: TaxonomiesService,
    private readonly management: TaxonomyManagementService,
  ) {}

  @Get()
  @UseGuards(NoQueryGuard)
  @Endpoint('listTaxonomies', 'List taxonomies', {
    answers: { 200: answer('All of them, by name.', TAXONOMY_LIST, 'ETag') },
  })
  async list(): Promise<Answer<ListEnvelope<TaxonomyView>>> {
    return Answer.hashed(wholeList((await this.taxonomies.latest()).map(taxonomyView)));
  }

  @Get(':taxonomy')
  @UseGuards(NoQueryGuard)
  @Endpoint('getTaxonomy', 'Read a taxonomy', {
    description: 'The `ETag` is its version.',
    answers: { 200: answer('The taxonomy.', enveloped(TAXONOMY), 'ETag') },
    fails: ['taxonomy_not_found'],
  })
  async read(@Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy): Promise<Answer<Envelope<TaxonomyView>>> {
    return tagged(await this.taxonomies.requireLatest(taxonomy));
  }

  @Post()
  @UseGuards(NoQueryGuard)
  @Endpoint('createTaxonomy', 'Declare a taxonomy', {
    description: 'Content types may name it at once.',
    body: jsonBody(named('TaxonomyInput', TAXONOMY_CREATE), { name: 'region', label: 'Region', hierarchical: true }),
    answers: { 201: answer('The new taxonomy.', enveloped(TAXONOMY), 'ETag', 'Location') },
    fails: ['malformed_json', 'taxonomy_exists', 'validation_failed'],
  })
  async create(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Answer<Envelope<TaxonomyView>>> {
    const taxonomy = await this.management.create(body, caller);
    const location = `/api/admin/taxonomies/${taxonomy.name}`;
    return Answer.created({ data: taxonomyView(taxonomy) }, location, versionTag(taxonomy));
  }

  @Put(':taxonomy')
  @UseGuards(NoQueryGuard)
  @Endpoint('updateTaxonomy', 'Change a taxonomy', {
    description: 'Parts that you do not send stay. It cannot become flat while terms stand under others.',
    parameters: [parameterRef('IfMatch')],
    body: jsonBody(named('TaxonomyChange', TAXONOMY_UPDATE), { label: 'Area', label_plural: 'Areas' }),
    answers: { 200: answer('The taxonomy as of now.', enveloped(TAXONOMY), 'ETag') },
    fails: ['malformed_json', 'taxonomy_not_found', 'taxonomy_in_use', 'version_conflict', 'validation_failed'],
  })
  async change(
    @Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @Headers('if-match') ifMatch?: string,
  ): Promise<Answer<Envelope<TaxonomyView>>> {
    return tagged(await this.management.change(taxonomy, body, { ifMatch, caller }));
  }

  @Delete(':taxonomy')
  @FreshSignIn()
  @Endpoint('deleteTaxonomy', 'Delete a taxonomy', {
    description: 'One that content types name stays. One that has terms goes only when that is confirmed.',
    parameters: [query('confirm', 'The name of the taxonomy, sent again: its terms may go too.')],
    answers: { 204: emptyAnswer('It is deleted.') },
    fails: ['taxonomy_not_found', 'taxonomy_not_empty', 'taxonomy_in_use'],
  })
  async remove(
    @Param('taxonomy', TaxonomyNamePipe) taxonomy: Taxonomy,
    @UrlQuery(ConfirmationPipe) confirm: string | null,
    @CurrentInitiator() { actor: caller, visitor }: Initiator,
  ): Promise<void> {
    await this.management.remove(taxonomy, { confirm, caller, visitor });
  }
}

function tagged(taxonomy: Taxonomy): Answer<Envelope<TaxonomyView>> {
  return Answer.tagged({ data: taxonomyView(taxonomy) }, versionTag(taxonomy), { isConditional: true });
}
