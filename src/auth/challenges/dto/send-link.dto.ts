import { IsOptional, IsString, Matches } from 'class-validator';
import { SendMailDto } from './send-mail.dto.js';

/** Body of `POST /api/auth/magic-link`. */
export class SendLinkDto extends SendMailDto {
  /** Where the browser goes after the sign-in: one of `REDIRECT_ALLOW_LIST`. */
  @IsOptional()
  @IsString({ message: 'redirect_to must be a string.' })
  redirect_to?: string;

  /** @see RFC 7636, 4.2 */
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: 'code_challenge must be a SHA-256 in base64url, 43 characters.' })
  code_challenge?: string;
}
