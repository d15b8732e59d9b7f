import { IsString, Matches } from '../../../common/dto-rules.js';
import { IsEmailAddress, Required, IfSent } from '../../../users/user-fields.js';
import { CODE_CHALLENGE, CODE_CHALLENGE_RULE } from '../../exchange/exchange-codes.js';

/** Body of whatever has mail sent to an address. */
export class SendMailDto {
  @Required()
  @IsEmailAddress()
  email!: string;
}

/** Body of `POST /api/auth/magic-link`. */
export class SendLinkDto extends SendMailDto {
  /** Where the browser goes after the sign-in: one of `REDIRECT_ALLOW_LIST`. */
  @IfSent()
  @IsString({ message: 'redirect_to must be a string.' })
  redirect_to?: string;

  @IfSent()
  @Matches(CODE_CHALLENGE, { message: CODE_CHALLENGE_RULE })
  code_challenge?: string;
}
