import { Body, Controller, Delete, Get, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentCaller, RequireScope } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { type Envelope } from '../common/envelope.js';
import { Answer } from '../common/http/answer.js';
import { NoQueryGuard } from '../common/http/routes/no-query.guard.js';
import { flag, readQuery, UrlQuery } from '../common/http/url-query.js';
import { answer, emptyAnswer, enveloped, inPath, jsonBody, parameterRef, query } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../common/openapi/endpoint.js';
import { TaxonomyNamePipe } from './taxonomy-name.pipe.js';
import { type Taxonomy } from './taxonomies/taxonomy.js';
import { TermManagementService } from './terms/term-management.service.js';
import { TermRemovalService } from './removal/term-removal.service.js';
import { TermPages } from './terms/term-pages.js';
import { TERM_CREATE, TERM_MERGE, TERM_UPDATE } from './terms/term-input.js';
import { TERM, TERM_LIST, termView, type TermView } from './terms/term-view.js';

const TaxonomyName = () => Param('taxonomy', TaxonomyNamePipe);

const REFERENCE = inPath('id', 'The id of the term, or `slug:` and its slug: `slug:news`.');

const LIST_PARAMETERS = [
  parameterRef('Page'),
  query('per_page', 'Terms on a page. More than 1000 are answered as 1000.', {
    type: 'integer',
    minimum: 1,
    default: 1_000,
  }),
  query('q', 'What the name begins with; case and marks do not matter.', { type: 'string', maxLength: 255 }),
  query(
    'contains',
    'What stands anywhere in the name; case and marks do not matter. Names that begin so come first, then those with a word that does.',
    { type: 'string', maxLength: 255 },
  ),
  query('format', '`tree`: all terms, each with those under it as `children`; at most 10,000.', {
    type: 'string',
    enum: ['flat', 'tree'],
    default: 'flat',
  }),
];

/** `PUT` and `PATCH` do the same. */
const Change = (id: string, summary: string) =>
  Endpoint(id, summary, {
    description:
      'Parts that you do not send stay; a request that changes nothing writes nothing. With another `parent_id` the term moves, and ' +
      'terms below it move along; `null`: to the top.',
    parameters: [REFERENCE],
    body: jsonBody(named('TermChange', TERM_UPDATE), { name: 'World news', position: 2 }),
    answers: { 200: answer('The term as of now.', enveloped(TERM)) },
    fails: ['malformed_json', 'taxonomy_not_found', 'term_not_found', 'term_exists', 'validation_failed'],
  });

/** The terms by which records are ordered. The parameter is not called `type`: scopes narrowed to a content type say nothing here. */
@Controller('api/cms/taxonomy')
@EndpointGroup('Taxonomy')
export class TaxonomyController {
  constructor(
    private readonly pages: TermPages,
    private readonly management: TermManagementService,
    private readonly removal: TermRemovalService,
  ) {}

  @Post()
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  @Endpoint('createTerm', 'Create a term', {
    body: jsonBody(named('TermInput', TERM_CREATE), { type: 'category', name: 'World', parent_id: 3 }),
    answers: { 201: answer('The new term.', enveloped(TERM), 'Location') },
    fails: ['malformed_json', 'term_exists', 'validation_failed'],
  })
  async create(@Body() body: unknown): Promise<Answer<Envelope<TermView>>> {
    const term = await this.management.create(body);
    return Answer.created({ data: termView(term, 0) }, `/api/cms/taxonomy/${term.taxonomy}/${term.id}`);
  }

  @Get(':taxonomy')
  @RequireScope('records:read')
  @Endpoint('listTerms', 'List the terms of a taxonomy', {
    description: 'In the order of the tree: a term, then those under it; siblings by `position`, then by name.',
    parameters: LIST_PARAMETERS,
    answers: { 200: answer('The terms.', TERM_LIST, 'ETag') },
    fails: ['taxonomy_not_found'],
  })
  list(
    @TaxonomyName() taxonomy: Taxonomy,
    @UrlQuery() query: URLSearchParams,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Buffer>> {
    return this.pages.list(taxonomy, query, caller);
  }

  @Get(':taxonomy/:id')
  @UseGuards(NoQueryGuard)
  @RequireScope('records:read')
  @Endpoint('getTerm', 'Read a term', {
    parameters: [REFERENCE],
    answers: { 200: answer('The term.', enveloped(TERM), 'ETag') },
    fails: ['taxonomy_not_found', 'term_not_found'],
  })
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
  @Change('updateTerm', 'Change or move a term')
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
  @Change('patchTerm', 'Change or move a term, by another verb')
  patch(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Envelope<TermView>> {
    return this.update(taxonomy, reference, body, caller);
  }

  @Delete(':taxonomy/:id')
  @RequireScope('taxonomy:write')
  @Endpoint('deleteTerm', 'Delete a term', {
    description:
      'Terms below it move up. A term that records have is deleted only with `force`, and is removed from them.',
    parameters: [
      REFERENCE,
      query('force', 'Remove the term from the records that have it.', { type: 'boolean', default: false }),
    ],
    answers: { 204: emptyAnswer('It is deleted.') },
    fails: ['taxonomy_not_found', 'term_not_found', 'term_in_use'],
  })
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
  @UseGuards(NoQueryGuard)
  @RequireScope('taxonomy:write')
  @Endpoint('mergeTerm', 'Merge a term into another one', {
    description: 'The other one replaces it in all records and above all terms below it. You can send it again.',
    parameters: [REFERENCE],
    body: jsonBody(named('TermMerge', TERM_MERGE), { into: 'news' }),
    answers: { 200: answer('The term that is left.', enveloped(TERM)) },
    fails: ['malformed_json', 'taxonomy_not_found', 'term_not_found', 'validation_failed'],
  })
  async merge(
    @TaxonomyName() taxonomy: Taxonomy,
    @Param('id') reference: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<Envelope<TermView>> {
    const id = await this.removal.merge(taxonomy, reference, body, caller);
    return this.pages.one(taxonomy, String(id), caller);
  }
}
