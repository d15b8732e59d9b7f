import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../common/access/access.decorators.js';
import { type Caller } from '../common/access/caller.js';
import { UrlQuery } from '../common/http/url-query.js';
import { SearchService, type SearchAnswer } from './search.service.js';

/** Asks for no scope at the door: one type that the caller may read is enough, and only the service knows the types. */
@Controller('api/cms/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  search(@UrlQuery() query: URLSearchParams, @CurrentCaller() caller: Caller): Promise<SearchAnswer> {
    return this.service.search(query, caller);
  }
}
