import type { OpenAPIV3_1 } from 'openapi-types';
import { IsIn, IsString } from '../../../common/dto-rules.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { named } from '../../../common/openapi/endpoint.js';
import { Described, DescribedBody, OptionalField } from '../../../common/openapi/body.js';
import type { LogoutScope } from './sessions.service.js';
import type { Session } from '../../tokens/access/session.entity.js';

const INSTANT: OpenAPIV3_1.SchemaObject = { type: 'string', format: 'date-time' };

export const AMR: OpenAPIV3_1.SchemaObject = {
  type: 'array',
  items: { type: 'string' },
  description: 'How the user proved who they are: `pwd`, `otp`, `link`, or an identity provider.',
  examples: [['pwd']],
};

export const sessionParameter = (name: string): OpenAPIV3_1.ParameterObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
});

/** Body of `POST /api/auth/refresh`. Without a token the one in the cookie is meant. */
@DescribedBody('Refresh', { refresh_token: 'cmsr_…' })
export class RefreshDto {
  @OptionalField(
    { type: 'string', description: 'Left out: the one in the cookie.' },
    IsString({ message: 'refresh_token must be a string.' }),
  )
  refresh_token?: string;
}

const LOGOUT_SCOPES = ['local', 'others', 'all'] as const satisfies readonly LogoutScope[];

/** Body of `POST /api/auth/logout`. */
@DescribedBody('Logout', { scope: 'local' })
export class LogoutDto extends RefreshDto {
  @Described({ type: 'string', description: 'In place of the access token.' })
  declare refresh_token?: string;

  @OptionalField(
    {
      type: 'string',
      enum: [...LOGOUT_SCOPES],
      default: 'local',
      description: 'This session, all others of the user, or all of them.',
    },
    IsIn(LOGOUT_SCOPES, { message: `scope must be one of: ${LOGOUT_SCOPES.join(', ')}.` }),
  )
  scope?: LogoutScope;
}

export const SESSION = named(
  'Session',
  objectOf(
    {
      id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      current: { type: 'boolean', description: 'Whether the request came from it.' },
      amr: AMR,
      ip: { type: 'string', description: 'Where it was begun.' },
      user_agent: { type: ['string', 'null'] },
      created_at: INSTANT,
      refreshed_at: INSTANT,
      expires_at: INSTANT,
    },
    { description: 'A device on which the user is signed in.' },
  ),
);

/** A session as its user sees it. @param currentId the session that the request came from */
export function sessionDto(session: Session, currentId: string) {
  return {
    id: session.id,
    current: session.id === currentId,
    amr: session.amr.split(' '),
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: new Date(session.createdAt).toISOString(),
    refreshed_at: new Date(session.refreshedAt).toISOString(),
    expires_at: new Date(session.expiresAt).toISOString(),
  };
}
