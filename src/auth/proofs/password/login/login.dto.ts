import { IsEmailAddress, IsOldPassword, Required } from '../../../../users/user-fields.js';
import { TokenModeDto } from '../../../sessions/answers/token-mode.dto.js';
import type { Login } from './login.service.js';

/** Body of `POST /api/auth/login`. */
export class LoginDto extends TokenModeDto implements Login {
  @Required()
  @IsEmailAddress()
  email!: string;

  @Required()
  @IsOldPassword()
  password!: string;
}
