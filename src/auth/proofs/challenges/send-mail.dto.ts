import { IsEmailAddress, Required } from '../../../users/user-fields.js';

/** Body of whatever has mail sent to an address. */
export class SendMailDto {
  @Required()
  @IsEmailAddress()
  email!: string;
}
