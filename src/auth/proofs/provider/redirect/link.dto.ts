import { IsString } from '../../../../common/dto-rules.js';
import { IfSent } from '../../../../users/user-fields.js';

/** Body of `POST /api/auth/{provider}/link`: what `GET /api/auth/{provider}/redirect` takes in its query. */
export class LinkDto {
  @IfSent()
  @IsString({ message: 'redirect_to must be a string.' })
  redirect_to?: string;

  @IfSent()
  @IsString({ message: 'code_challenge must be a string.' })
  code_challenge?: string;
}
