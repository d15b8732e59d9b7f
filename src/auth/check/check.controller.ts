import { Controller, Delete, Get, HttpCode, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import type { Answer } from '../../common/http/answer.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { CHECK_PATHS } from './check-paths.js';
import { authorizedSubject, subjectHeaders } from './subject-headers.js';

const OWN_PATH = /^\/api\/auth\/check\/?$/;

type Checked = Answer<undefined>;

/**
 * Asked by gateways whether a request may pass: the guard answers, as it does for every route. Not below `api/auth` as a
 * controller, since it draws from no budget but that of bad tokens: a gateway asks for all of its clients.
 */
@Controller()
export class CheckController {
  @Get(CHECK_PATHS)
  @HttpCode(204)
  checkGet(@CurrentCaller() caller: Caller, @UrlQuery() query: URLSearchParams, @Req() { path }: Request): Checked {
    return answered(caller, query, path);
  }

  @Post(CHECK_PATHS)
  @HttpCode(204)
  checkPost(@CurrentCaller() caller: Caller, @UrlQuery() query: URLSearchParams, @Req() { path }: Request): Checked {
    return answered(caller, query, path);
  }

  @Put(CHECK_PATHS)
  @HttpCode(204)
  checkPut(@CurrentCaller() caller: Caller, @UrlQuery() query: URLSearchParams, @Req() { path }: Request): Checked {
    return answered(caller, query, path);
  }

  @Patch(CHECK_PATHS)
  @HttpCode(204)
  checkPatch(@CurrentCaller() caller: Caller, @UrlQuery() query: URLSearchParams, @Req() { path }: Request): Checked {
    return answered(caller, query, path);
  }

  @Delete(CHECK_PATHS)
  @HttpCode(204)
  checkDelete(@CurrentCaller() caller: Caller, @UrlQuery() query: URLSearchParams, @Req() { path }: Request): Checked {
    return answered(caller, query, path);
  }
}

/** Below our path the query is that of the client, and means nothing here. */
function answered(caller: Caller, query: URLSearchParams, path: string): Checked {
  if (!OWN_PATH.test(path)) return subjectHeaders(caller);
  // Of a client that asks for `/` gateways put the query behind ours as well.
  return authorizedSubject(caller, query, { isOfClient: path.endsWith('/') });
}
