import { IsString } from '../../../common/dto-rules.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';

/** Body of `POST /api/auth/magic-link/verify`. */
export class VerifyLinkDto extends TokenModeDto {
  @IsString({ message: 'token must be a string.' })
  token!: string;
}
