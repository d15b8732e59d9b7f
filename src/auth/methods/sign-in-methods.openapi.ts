import type { OpenAPIV3_1 } from 'openapi-types';
import { answer, failures, objectOf, operations, schemaRef } from '../../common/openapi/describe.js';
import type { OpenApiFragment } from '../../common/openapi/openapi.registry.js';
import { PROVIDER_NAMES } from '../../config/provider-settings.js';
import { SIGN_IN_TAG } from './sign-in-methods.js';

const FLAG: OpenAPIV3_1.SchemaObject = { type: 'boolean' };
const LENGTH: OpenAPIV3_1.SchemaObject = { type: 'integer', minimum: 1 };

export const SIGN_IN_METHODS_API: OpenApiFragment = {
  paths: {
    '/api/auth/methods': {
      get: operations(SIGN_IN_TAG)('getSignInMethods', 'List the ways to sign in', {
        description: 'For pages that offer them: what `AUTH_METHODS`, the providers and `SIGNUP` allow here.',
        security: [],
        responses: { 200: answer('The ways.', schemaRef('SignInMethods')), ...failures('invalid_query') },
      }),
    },
  },
  schemas: {
    SignInMethods: objectOf({
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
  },
};
