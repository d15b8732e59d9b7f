import { IsLinkToken } from '../../pages/link-token.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';

/** Body of `POST /api/auth/magic-link/verify`. */
export class VerifyLinkDto extends TokenModeDto {
  @IsLinkToken()
  token!: string;
}
