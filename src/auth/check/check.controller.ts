import { Controller, Delete, Get, HttpCode, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import type { Answer } from '../../common/http/answer.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { authorizedSubject, subjectHeaders } from './subject-headers.js';

/** Some gateways ask with the method of their client, and put its path and its query behind ours, which mean nothing here. */
const BELOW = 'api/auth/check/*rest';

/**
 * Asked by gateways whether a request may pass: the guard answers, as it does for every route. Not below `api/auth` as a
 * controller, since it draws from no budget but that of bad tokens: a gateway asks for all of its clients.
 */
@Controller()
export class CheckController {
  @Get('api/auth/check')
  @HttpCode(204)
  check(
    @CurrentCaller() caller: Caller,
    @UrlQuery() query: URLSearchParams,
    @Req() { path }: Request,
  ): Answer<undefined> {
    // Of a client that asks for `/` gateways put the query behind ours as well.
    return authorizedSubject(caller, query, { isOfClient: path.endsWith('/') });
  }

  @Get(BELOW)
  @HttpCode(204)
  checkGet(@CurrentCaller() caller: Caller): Answer<undefined> {
    return subjectHeaders(caller);
  }

  @Post(BELOW)
  @HttpCode(204)
  checkPost(@CurrentCaller() caller: Caller): Answer<undefined> {
    return subjectHeaders(caller);
  }

  @Put(BELOW)
  @HttpCode(204)
  checkPut(@CurrentCaller() caller: Caller): Answer<undefined> {
    return subjectHeaders(caller);
  }

  @Patch(BELOW)
  @HttpCode(204)
  checkPatch(@CurrentCaller() caller: Caller): Answer<undefined> {
    return subjectHeaders(caller);
  }

  @Delete(BELOW)
  @HttpCode(204)
  checkDelete(@CurrentCaller() caller: Caller): Answer<undefined> {
    return subjectHeaders(caller);
  }
}
