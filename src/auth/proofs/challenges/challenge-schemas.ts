import type { OpenAPIV3_1 } from 'openapi-types';
import { objectOf } from '../../../common/openapi/describe.js';
import { USER_EMAIL } from '../../../users/user-schemas.js';
import { CODE_CHALLENGE } from '../../exchange/exchange-codes.js';
import { TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { MAX_TYPED } from './typed-code.js';

type Schema = OpenAPIV3_1.SchemaObject;

/** The token of a link, in every body that takes one. */
export const LINK_TOKEN: Schema = {
  type: 'string',
  description: 'Out of the link; white space around it is passed over.',
  pattern: '^\\s*[A-Za-z0-9_-]{43}\\s*$',
};

/** A code as people type it, in every body that takes one. The pattern is the same for every validator, so it has ASCII only. */
export const MAILED_CODE = {
  type: 'string',
  maxLength: MAX_TYPED,
  pattern: '^[\\s-]*(?:[0-9][\\s-]*){6}$',
  description: 'Six digits, those of other scripts too; blanks, dashes and signs of no width are passed over.',
  examples: ['048213'],
} satisfies Schema;

/** Schemas of everything that comes by mail. */
export const challengeSchemas: Readonly<Record<string, Schema>> = {
  SendMail: objectOf({ email: USER_EMAIL }),
  SendLink: objectOf(
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
  MailAnswer: objectOf({
    message: { type: 'string' },
    expires_in: { type: 'integer', description: 'How long it works, seconds.', examples: [600] },
    resend_in: { type: 'integer', description: 'Until another mail can be sent, seconds.', examples: [60] },
  }),
  VerifyCode: objectOf({ email: USER_EMAIL, code: MAILED_CODE, mode: TOKEN_MODE }, { required: ['email', 'code'] }),
  VerifyLink: objectOf({ token: LINK_TOKEN, mode: TOKEN_MODE }, { required: ['token'] }),
};
