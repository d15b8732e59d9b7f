import { IsString, Matches } from '../../../common/dto-rules.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { BodySchema } from '../../../common/openapi/endpoint.js';
import { IsEmailAddress, Required, IfSent } from '../../../users/user-fields.js';
import { USER_EMAIL } from '../../../users/user-schemas.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../../exchange/exchange-codes.js';

/** Body of whatever has mail sent to an address. */
@BodySchema('SendMail', objectOf({ email: USER_EMAIL }), { email: 'ann@example.com' })
export class SendMailDto {
  @Required()
  @IsEmailAddress()
  email!: string;
}

/** Body of `POST /api/auth/magic-link`. */
@BodySchema(
  'SendLink',
  objectOf(
    {
      email: USER_EMAIL,
      redirect_to: {
        type: 'string',
        description:
          'The address that the browser goes to after the sign-in, with a one-time code: one of `REDIRECT_ALLOW_LIST`, word for word.',
      },
      code_challenge: {
        type: 'string',
        pattern: CODE_CHALLENGE.source,
        description: 'SHA-256 of a secret in base64url. Then only who has the secret can exchange the code (RFC 7636).',
      },
    },
    { required: ['email'] },
  ),
  { email: 'ann@example.com' },
)
export class SendLinkDto extends SendMailDto {
  /** Where the browser goes after the sign-in: one of `REDIRECT_ALLOW_LIST`. */
  @IfSent()
  @IsString({ message: 'redirect_to must be a string.' })
  redirect_to?: string;

  @IfSent()
  @Matches(CODE_CHALLENGE, { message: CODE_CHALLENGE_RULE })
  code_challenge?: string;
}
