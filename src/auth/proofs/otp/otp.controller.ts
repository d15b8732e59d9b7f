import { Body, Controller, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { answer } from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { Described, DescribedBody, Field } from '../../../common/openapi/body.js';
import { IsEmailAddress, requireEmail } from '../../../users/user-fields.js';
import { USER_EMAIL } from '../../../users/user-schemas.js';
import { SignInMethod } from '../../methods/sign-in-methods.js';
import { SignInAnswers, NEW_SESSION, TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { MAIL_ANSWER, SendMailDto } from '../challenges/asked-mails.js';
import { IsCode, MAILED_CODE } from '../challenges/typed-code.js';
import { SignInMails, ASKED_FOR } from '../mail/sign-in-mails.js';
import { OtpService } from './otp.service.js';

/** Body of `POST /api/auth/otp/verify`. */
@DescribedBody('VerifyCode', { email: 'ann@example.com', code: '048213' })
class VerifyCodeDto extends TokenModeDto {
  @Field(USER_EMAIL, IsEmailAddress())
  email!: string;

  @IsCode()
  @Described(MAILED_CODE, true)
  code!: string;
}

/** Signing in with a code from a mail. */
@Public()
@Controller('api/auth/otp')
@EndpointGroup('Sign-in')
@SignInMethod('otp')
export class OtpController {
  constructor(
    private readonly mails: SignInMails,
    private readonly codes: OtpService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('send')
  @Throttle(budget('send'))
  @Endpoint('sendCode', 'Ask for a code by mail', {
    description: `${ASKED_FOR} The mail has a link too; either of them can be used once.`,
    answers: { 200: answer('A mail is on its way, if the address can get one.', MAIL_ANSWER) },
  })
  send(@Body() { email }: SendMailDto, @CurrentVisitor() visitor: Visitor) {
    return this.mails.code(email, visitor);
  }

  @Post('verify')
  @Throttle(budget('verify'))
  @Endpoint('verifyCode', 'Sign in with a code', {
    description:
      'A code can be tried five times, and codes of one address ten times in a quarter of an hour and twenty times a day, ' +
      'after which the link of the mail still signs in; each device on which ' +
      'the user was signed in before (cookie `cms_device`) has as many for itself. The first sign-in by ' +
      'mail proves the address: a password, sessions and tokens that were there before are gone. 409 `last_admin`: a directory ' +
      'has made the account that of the last admin who can sign in, and its address is not proved.',
    answers: { 200: NEW_SESSION },
    fails: ['invalid_code', 'account_disabled', 'signup_closed', 'last_admin'],
  })
  async verify(@Body() { email, code, mode }: VerifyCodeDto, @CurrentVisitor() visitor: Visitor) {
    return this.answers.of(await this.codes.verify(requireEmail(email).key, code, visitor), mode);
  }
}
