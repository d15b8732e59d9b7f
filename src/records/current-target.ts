import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AuthenticatedRequest } from '../common/access/access.decorators.js';
import { queryOf } from '../common/http/url-query.js';
import type { Target } from './records.service.js';

/** The record that the path of a request names, as a handler's argument; `?locale=` says which one of its slug. */
export const CurrentTarget = createParamDecorator((_: unknown, context: ExecutionContext): Target => {
  const request = context.switchToHttp().getRequest<Request<{ id: string }> & AuthenticatedRequest>();
  const { caller, headers, params } = request;
  return { reference: params.id, locale: queryOf(request).get('locale'), caller, ifMatch: headers['if-match'] };
});
