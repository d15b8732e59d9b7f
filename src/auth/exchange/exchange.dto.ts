import { IsString, Matches } from 'class-validator';
import { IfSent, Required } from '../../users/user-fields.js';
import { TokenModeDto } from '../sessions/token-mode.js';

/** Body of `POST /api/auth/exchange`. */
export class ExchangeDto extends TokenModeDto {
  @Required()
  @IsString({ message: 'code must be a string.' })
  code!: string;

  /** @see RFC 7636 section 4.1 */
  @IfSent()
  @Matches(/^[A-Za-z0-9._~-]{43,128}$/, { message: 'code_verifier must have 43 to 128 letters, digits, -, ., _ or ~.' })
  code_verifier?: string;
}
