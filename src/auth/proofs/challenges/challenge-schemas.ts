import type { OpenAPIV3_1 } from 'openapi-types';
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
