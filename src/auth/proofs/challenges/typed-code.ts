import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import type { OpenAPIV3_1 } from 'openapi-types';
import { Matches } from '../../../common/dto-rules.js';

/** Signs that may stand between digits: blanks, dashes (also the minus, and the long vowel of Japanese), signs of no width. */
const BETWEEN = /[\s\p{Z}\p{Pd}\p{Cf}\u2212\u30fc]/gu;
/** Longer texts are no code, and are not looked through. */
const MAX_TYPED = 64;

/** A code in a body. The pattern is the same for every validator, so it has ASCII only. */
export const MAILED_CODE = {
  type: 'string',
  maxLength: MAX_TYPED,
  pattern: '^[\\s-]*(?:[0-9][\\s-]*){6}$',
  description: 'Six digits, those of other scripts too; blanks, dashes and signs of no width are passed over.',
  examples: ['048213'],
} satisfies OpenAPIV3_1.SchemaObject;

/** Six digits as people type them. A number would have lost its zeros in front. */
export const IsCode = () =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown =>
      typeof value === 'string' && value.length <= MAX_TYPED ? typedCode(value) : (value as unknown),
    ),
    Matches(/^[0-9]{6}$/, { message: 'code must be a string of six digits.' }),
  );

/** The digits that a person means, in ASCII: `'１２３ – ٤٥٦'` -> `'123456'`. What is none stays as it is. */
export function typedCode(text: string): string {
  return text
    .normalize('NFKC')
    .replace(BETWEEN, '')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)));
}

/** Unicode has the digits of a script in one row, from zero to nine. */
function digitOf(digit: string): number {
  const place = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(place - before - 1))) before += 1;
  return before % 10;
}
