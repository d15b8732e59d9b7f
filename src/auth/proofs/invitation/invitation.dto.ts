import { Transform, type TransformFnParams } from 'class-transformer';
import type { Role } from '../../../users/roles/roles.js';
import { IfSent, IsEmailAddress, IsName, IsPassword, IsRole, Required } from '../../../users/user-fields.js';
import { IsLinkToken } from '../../pages/own-form.guard.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';
import type { Invitation, Acceptance } from './invitations.service.js';

/** Body of `POST /api/auth/invitations`. */
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
