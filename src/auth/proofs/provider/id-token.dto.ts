import { IsString, MaxLength, MinLength } from '../../../common/dto-rules.js';
import { IfSent, Required } from '../../../users/user-fields.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.js';

const MAX_NONCE = 255;
const MAX_NAME = 255;

/** Body of `POST /api/auth/{provider}/token`. */
export class IdTokenDto extends TokenModeDto {
  @Required()
  @IsString({ message: 'id_token must be a string.' })
  id_token!: string;

  /** What the app asked the provider to put into the token, or what that is the SHA-256 of. */
  @Required()
  @IsString({ message: 'nonce must be a string.' })
  @MinLength(1, { message: 'nonce must not be empty.' })
  @MaxLength(MAX_NONCE, { message: `nonce must have at most ${MAX_NONCE} characters.` })
  nonce!: string;

  /** For a new account, where the provider tells no name. */
  @IfSent()
  @IsString({ message: 'name must be a string.' })
  @MaxLength(MAX_NAME, { message: `name must have at most ${MAX_NAME} characters.` })
  name?: string;
}
