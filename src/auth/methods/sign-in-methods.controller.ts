import { Controller, Get, UseGuards } from '@nestjs/common';
import type { OpenAPIV3_1 } from 'openapi-types';
import { Public } from '../../common/access/access.decorators.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { answer, objectOf } from '../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../common/openapi/endpoint.js';
import { isSetUp, PROVIDER_NAMES } from '../../config/provider-settings.js';
import { Settings } from '../../config/settings.js';
import { PASSWORD_LENGTH } from '../../users/passwords/passwords.js';
import { providerTitleFirst } from './sign-in-methods.js';

const FLAG: OpenAPIV3_1.SchemaObject = { type: 'boolean' };
const LENGTH: OpenAPIV3_1.SchemaObject = { type: 'integer', minimum: 1 };

const SIGN_IN_METHODS = named(
  'SignInMethods',
  objectOf({
    password: FLAG,
    otp: { ...FLAG, description: 'Whether a code from a mail signs in.' },
    magic_link: { ...FLAG, description: 'Whether a link from a mail signs in.' },
    mail: { ...FLAG, description: 'Whether mails are sent by a mail server, and not kept on the machine.' },
    providers: {
      type: 'array',
      description: 'Identity providers that are set up.',
      items: objectOf({
        name: { type: 'string', enum: [...PROVIDER_NAMES] },
        label: { type: 'string', examples: ['Google'] },
      }),
    },
    signup: {
      type: 'string',
      enum: ['closed', 'open', 'domains'],
      description: 'Who gets an account by proving an address: no one, everyone, or some domains.',
    },
    password_rules: objectOf({ min_length: LENGTH, max_length: LENGTH }),
  }),
);

/** The ways to sign in, for pages that offer them. */
@Public()
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class SignInMethodsController {
  constructor(private readonly settings: Settings) {}

  @Get('methods')
  @UseGuards(NoQueryGuard)
  @Endpoint('getSignInMethods', 'List the ways to sign in', {
    description: 'For pages that offer them: what `AUTH_METHODS`, the providers and `SIGNUP` allow here.',
    answers: { 200: answer('The ways.', SIGN_IN_METHODS) },
  })
  read() {
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
