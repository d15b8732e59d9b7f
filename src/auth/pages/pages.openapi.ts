import type { OpenAPIV3_1 } from 'openapi-types';
import { failuresOrPage, HTML } from '../../common/openapi/describe.js';
import { SIGN_IN_TAG } from '../methods/sign-in-methods.js';

/** The failures of forms behind links that prove an address. */
export const PROOF_FORM_FAILURES = failuresOrPage(
  'invalid_link',
  'account_disabled',
  'last_admin',
  'csrf_rejected',
  'validation_failed',
  'too_many_requests',
);

/** The form behind a link, where the settings name no page of a client for it. */
export function formPage(operationId: string, summary: string): OpenAPIV3_1.OperationObject {
  return {
    tags: [SIGN_IN_TAG],
    operationId,
    summary,
    description: 'If `PASSWORD_URL` is set, links lead there.',
    security: [],
    parameters: [{ name: 'token', in: 'query', required: true, schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'A form. Nothing is spent by looking at it, and parameters that were added are passed over.',
        content: { 'text/html': HTML },
      },
      ...failuresOrPage('invalid_query', 'link_over'),
    },
  };
}
