import { Controller, Get, UseGuards } from '@nestjs/common';
import { Public } from '../../common/access/access.decorators.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { isSetUp, PROVIDER_NAMES, type ProviderName } from '../../config/provider-settings.js';
import { Settings } from '../../config/settings.js';
import { PASSWORD_LENGTH } from '../../users/passwords/password-form.js';
import { providerTitleFirst } from './sign-in-methods.js';

/** What a page needs to know before anyone has signed in. */
export interface SignInOptions {
  readonly password: boolean;
  readonly otp: boolean;
  readonly magic_link: boolean;
  /** Whether mails leave the machine: `false` while they are kept in a folder or named in the log. */
  readonly mail: boolean;
  readonly providers: readonly { readonly name: ProviderName; readonly label: string }[];
  /** Who gets an account by proving an address. */
  readonly signup: 'closed' | 'open' | 'domains';
  readonly password_rules: { readonly min_length: number; readonly max_length: number };
}

/** The ways to sign in, for pages that offer them. */
@Public()
@Controller('api/auth')
export class SignInMethodsController {
  constructor(private readonly settings: Settings) {}

  @Get('methods')
  @UseGuards(NoQueryGuard)
  read(): SignInOptions {
    const { signIn, mail, providers } = this.settings;
    const { methods, signUp } = signIn;
    return {
      password: methods.has('password'),
      otp: methods.has('otp'),
      magic_link: methods.has('magic-link'),
      mail: mail.transport === 'smtp',
      providers: PROVIDER_NAMES.filter((name) => methods.has(name) && isSetUp(name, providers)).map((name) => ({
        name,
        label: providerTitleFirst(name),
      })),
      signup: typeof signUp === 'string' ? signUp : 'domains',
      password_rules: { min_length: PASSWORD_LENGTH.min, max_length: PASSWORD_LENGTH.max },
    };
  }
}
