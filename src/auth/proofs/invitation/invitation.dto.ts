import { Transform, type TransformFnParams } from 'class-transformer';
import { LINK_TOKEN_EXAMPLE, objectOf, PASSWORD_EXAMPLE } from '../../../common/openapi/describe.js';
import { BodySchema } from '../../../common/openapi/endpoint.js';
import { ROLES, type Role } from '../../../users/roles/roles.js';
import { IfSent, IsEmailAddress, IsName, IsPassword, IsRole, Required } from '../../../users/user-fields.js';
import { NEW_PASSWORD, USER_EMAIL, USER_NAME } from '../../../users/user-schemas.js';
import { IsLinkToken } from '../../pages/own-form.guard.js';
import { TokenModeDto, TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { LINK_TOKEN } from '../challenges/challenge-schemas.js';
import type { Invitation, Acceptance } from './invitations.service.js';

/** Body of `POST /api/auth/invitations`. */
@BodySchema('Invite', objectOf({ email: USER_EMAIL, name: USER_NAME, role: { type: 'string', enum: [...ROLES] } }), {
  email: 'ann@example.com',
  name: 'Ann Example',
  role: 'editor',
})
export class InviteDto implements Invitation {
  @Required()
  @IsEmailAddress()
  email!: string;

  @Required()
  @IsName()
  name!: string;

  @Required()
  @IsRole()
  role!: Role;
}

/** A field of a form that was left empty was not filled in. */
const Filled = () =>
  Transform(({ value }: TransformFnParams): unknown => (value === '' ? undefined : (value as unknown)));

/** Body of `POST /api/auth/invitations/accept`. */
@BodySchema(
  'InvitationAcceptance',
  objectOf({ token: LINK_TOKEN, name: USER_NAME, password: NEW_PASSWORD, mode: TOKEN_MODE }, { required: ['token'] }),
  { token: LINK_TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE },
)
export class AcceptDto extends TokenModeDto implements Acceptance {
  @IsLinkToken()
  token!: string;

  @Filled()
  @IfSent()
  @IsName()
  name?: string;

  @Filled()
  @IfSent()
  @IsPassword()
  password?: string;
}
