import { IsString, Matches } from '../../common/dto-rules.js';
import { IfSent, Required } from '../../users/user-fields.js';
import { TokenModeDto } from '../sessions/answers/token-mode.dto.js';
import { CODE_VERIFIER, CODE_VERIFIER_RULE } from './pkce.js';

/** Body of `POST /api/auth/exchange`. */
export class ExchangeDto extends TokenModeDto {
  @Required()
  @IsString({ message: 'code must be a string.' })
  code!: string;

  @IfSent()
  @Matches(CODE_VERIFIER, { message: CODE_VERIFIER_RULE })
  code_verifier?: string;
}
