import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { UrlQuery } from '../common/http/url-query.js';
import { answer } from '../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../common/openapi/endpoint.js';
import { SEARCH_PARAMETERS } from './answers/search-query.js';
import { SEARCH_ANSWER, SearchService, type SearchAnswer } from './search.service.js';

/** Asks for no scope at the door: one type that the caller may read is enough, and only the service knows the types. */
@Controller('api/cms/search')
@EndpointGroup('Search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @Endpoint('search', 'Search', {
    description:
      'In titles, names of terms, bodies and searchable fields, in this order of weight; of equals the youngest first. All words must be found, the last one as the beginning of a word. `"several words"` are found side by side, `-word` must not be found. Case and accents do not matter. Needs `records:read`, for all types or for some, and finds records of those; what is not published takes `drafts:read`.',
    parameters: SEARCH_PARAMETERS,
    answers: { 200: answer('A page of hits, the best first.', SEARCH_ANSWER) },
    fails: ['insufficient_scope', 'type_not_found'],
  })
  search(@UrlQuery() query: URLSearchParams, @CurrentCaller() caller: Caller): Promise<SearchAnswer> {
    return this.service.search(query, caller);
  }
}
