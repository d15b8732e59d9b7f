import { applyDecorators, Controller, Delete, Get, HttpCode, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { OpenAPIV3_1 } from 'openapi-types';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import { type Caller, isAllowed, isScope, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { ROLES } from '../../common/access/role-names.js';
import { Answer } from '../../common/http/answer.js';
import { invalidQuery, queryOf, requireKnown } from '../../common/http/url-query.js';
import { emptyAnswer, inPath, query } from '../../common/openapi/describe.js';
import { EndpointGroup, EndpointOfPaths } from '../../common/openapi/endpoint.js';
import { scopesOf } from '../../users/roles/roles.js';

/**
 * Refuses a caller without one of the scopes that the query asks for, also of a single type: `records:read:post`. A
 * misspelled parameter is refused too: ignoring it would let callers pass who lack the scope.
 *
 * @param query below our path that of the client, and means nothing here
 * @throws {DomainError} `invalid_query`, `insufficient_scope`
 */
function answered(caller: Caller, request: Request): Checked {
  const { path } = request;
  if (OWN_PATH.test(path)) {
    const query = queryOf(request);
    // Of a client that asks for `/` gateways put the query behind ours as well.
    if (!path.endsWith('/')) requireKnown(query, ['scope']);
    for (const scope of query.getAll('scope')) requireScope(caller, scope);
  }
  return Answer.withHeaders(undefined, {
    'X-Auth-Subject': `${caller.kind}:${caller.id ?? encodedName(caller)}`,
    'X-Auth-Scopes': [...caller.scopes].join(' '),
    'X-Auth-Role': roleOf(caller),
  });
}

/** Names of tokens of the configuration are any text, and headers are ASCII: `čtečka` -> `%C4%8Dte%C4%8Dka` */
function encodedName({ name }: Caller): string {
  return name.replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}

function requireScope(caller: Caller, scope: string): void {
  if (!isScope(scope)) throw invalidQuery('scope', 'scope', 'scope must be the name of a scope: records:read.');
  const [kind, action, type] = scope.split(':');
  // Two parts of a scope that was just found to be one.
  const whole = (action === undefined ? kind : `${kind}:${action}`) as Scope;
  if (!isAllowed(caller, whole, type)) throw insufficientScope(`The token lacks the scope ${scope}.`, [scope]);
}

/** The role whose scopes a user has; empty for an API token, and for a token that is narrowed. */
function roleOf({ kind, scopes }: Caller): string {
  if (kind !== 'user') return '';
  const held = [...scopes].toSorted().join(' ');
  return ROLES.find((role) => [...scopesOf(role)].toSorted().join(' ') === held) ?? '';
}

/** Some gateways ask with the method of their client, and put its path behind ours: `/` becomes `/api/auth/check/`. */
const CHECK_PATHS = ['api/auth/check', 'api/auth/check/*rest'];

/** True if a path is one that gateways ask. */
export function isCheckPath(path: string): boolean {
  return /^\/api\/auth\/check(?:\/|$)/.test(path);
}

const OWN_PATH = /^\/api\/auth\/check\/?$/;

type Checked = Answer<undefined>;

const text = (description: string): OpenAPIV3_1.HeaderObject => ({ description, schema: { type: 'string' } });

const ALLOWED: OpenAPIV3_1.ResponseObject = {
  ...emptyAnswer('The caller may pass.'),
  headers: {
    'X-Auth-Subject': text(
      '`user:42`, `token:7`, or `token:` and the name of a token of the configuration, with %-escapes for what is not ASCII.',
    ),
    'X-Auth-Role': text('The role of a user; empty for tokens.'),
    'X-Auth-Scopes': text('All scopes of the caller, with spaces between them.'),
  },
};

const REST = inPath('rest', 'The path of the request that the gateway asks about. It means nothing here.');

/** Describes the check at our path, and below it. */
const Check = (id: string, idBelow: string) =>
  applyDecorators(
    HttpCode(204),
    EndpointOfPaths((path) => ({
      summary: 'May this caller pass?',
      description:
        'For gateways (`auth_request` of nginx, `ext_authz` of Envoy), which ask before they hand a request on to another service. ' +
        'Draws from no budget but that of tokens that are not valid.',
      answers: { 204: ALLOWED },
      ...(OWN_PATH.test(path)
        ? {
            id,
            parameters: [query('scope', 'A scope that the caller has to hold, for example `records:read:post`.')],
            fails: ['invalid_query', 'insufficient_scope'],
          }
        : { id: idBelow, parameters: [REST] }),
    })),
  );

/**
 * Asked by gateways whether a request may pass: the guard answers, as it does for every route. Not below `api/auth` as a
 * controller, since it draws from no budget but that of bad tokens: a gateway asks for all of its clients.
 */
@Controller()
@EndpointGroup('Sign-in')
export class CheckController {
  @Get(CHECK_PATHS)
  @Check('checkCaller', 'checkCallerOfGet')
  checkGet(@CurrentCaller() caller: Caller, @Req() request: Request): Checked {
    return answered(caller, request);
  }

  @Post(CHECK_PATHS)
  @Check('checkCallerByPost', 'checkCallerOfPost')
  checkPost(@CurrentCaller() caller: Caller, @Req() request: Request): Checked {
    return answered(caller, request);
  }

  @Put(CHECK_PATHS)
  @Check('checkCallerByPut', 'checkCallerOfPut')
  checkPut(@CurrentCaller() caller: Caller, @Req() request: Request): Checked {
    return answered(caller, request);
  }

  @Patch(CHECK_PATHS)
  @Check('checkCallerByPatch', 'checkCallerOfPatch')
  checkPatch(@CurrentCaller() caller: Caller, @Req() request: Request): Checked {
    return answered(caller, request);
  }

  @Delete(CHECK_PATHS)
  @Check('checkCallerByDelete', 'checkCallerOfDelete')
  checkDelete(@CurrentCaller() caller: Caller, @Req() request: Request): Checked {
    return answered(caller, request);
  }
}
