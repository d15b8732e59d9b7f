import { IsString, MaxLength, MinLength } from '../../../common/dto-rules.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { BodySchema } from '../../../common/openapi/endpoint.js';
import { IfSent, Required } from '../../../users/user-fields.js';
import { USER_NAME } from '../../../users/user-schemas.js';
import { TokenModeDto, TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';

const NONCE_LENGTH = { minLength: 1, maxLength: 255 } as const;
/** A name of which nothing is left is as none. */
const NAME_LENGTH = { maxLength: USER_NAME.maxLength } as const;

/** Body of `POST /api/auth/{provider}/token`. */
@BodySchema(
  'IdTokenSignIn',
  objectOf(
    {
      id_token: { type: 'string', description: 'From the provider.' },
      nonce: {
        type: 'string',
        description: 'What was asked to be in it, or what that is the SHA-256 of.',
        ...NONCE_LENGTH,
      },
      name: { type: 'string', description: 'For a new account, if the provider sends none.', ...NAME_LENGTH },
      mode: TOKEN_MODE,
    },
    { required: ['id_token', 'nonce'] },
  ),
  { id_token: 'eyJ…', nonce: 'the-nonce-that-the-app-asked-for' },
)
export class IdTokenDto extends TokenModeDto {
  @Required()
  @IsString({ message: 'id_token must be a string.' })
  id_token!: string;

  /** What the app asked the provider to put into the token, or what that is the SHA-256 of. */
  @Required()
  @IsString({ message: 'nonce must be a string.' })
  @MinLength(NONCE_LENGTH.minLength, { message: 'nonce must not be empty.' })
  @MaxLength(NONCE_LENGTH.maxLength, { message: `nonce must have at most ${NONCE_LENGTH.maxLength} characters.` })
  nonce!: string;

  /** For a new account, where the provider tells no name. */
  @IfSent()
  @IsString({ message: 'name must be a string.' })
  @MaxLength(NAME_LENGTH.maxLength, { message: `name must have at most ${NAME_LENGTH.maxLength} characters.` })
  name?: string;
}
