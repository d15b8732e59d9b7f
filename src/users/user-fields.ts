import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { ValidateBy } from '../common/dto-rules.js';
import { ValidationError } from '../common/errors/domain-error.js';
import { isVisible } from '../common/schema/formats.js';
import { emailAddress, emailFault, type EmailAddress } from '../common/text/email-address.js';
import { hasLineControls } from '../common/text/one-line.js';
import { isCommonPassword, lengthFault, mayBeStored, PASSWORD_LENGTH } from './passwords/passwords.js';
import { ROLES } from './roles/roles.js';
import { USER_NAME } from './user-schemas.js';

/** A rule for a value that is there; one that is missing is the matter of {@link Required}. */
function rule(name: string, message: string | ((value: unknown) => string), holds: (value: unknown) => boolean) {
  const validate = (value: unknown) => value === undefined || value === null || holds(value);
  const defaultMessage = (given?: { readonly value: unknown }) =>
    typeof message === 'string' ? message : message(given?.value);
  return ValidateBy({ name, validator: { validate, defaultMessage } });
}

/** A rule for texts; anything else is refused by {@link Text}, so that each fault is reported once. */
function textRule(name: string, message: Parameters<typeof rule>[1], holds: (text: string) => boolean) {
  return rule(name, message, (value) => typeof value !== 'string' || holds(value));
}

const Text = () => rule('string', '$property must be a string.', (value) => typeof value === 'string');

const Trimmed = () => Transform(({ value }: TransformFnParams): unknown => trimmed(value));

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

export const IsName = () =>
  applyDecorators(
    Trimmed(),
    Text(),
    // Not class-validator's own length: it counts some pairs of characters as one, and the column then overflows.
    textRule(
      'length',
      `$property must have ${USER_NAME.minLength} to ${USER_NAME.maxLength} characters.`,
      ({ length }) => length >= USER_NAME.minLength && length <= USER_NAME.maxLength,
    ),
    textRule('blank', '$property must not be blank.', (text) => text === '' || isVisible(text)),
    textRule('control', '$property must not contain control characters.', (text) => !hasLineControls(text)),
  );

/** The address in a checked body. @throws {ValidationError} it is no e-mail address */
export function requireEmail(text: string): EmailAddress {
  const email = emailAddress(text);
  if (email) return email;
  throw new ValidationError([{ field: 'email', rule: 'email', message: `email ${emailFault(text)}` }]);
}

/** Not class-validator's own e-mail rule: it lets line breaks through, in quotes. */
export const IsEmailAddress = () =>
  applyDecorators(
    Text(),
    textRule(
      'email',
      (value) => `$property ${emailFault(String(value))}`,
      (text) => !!emailAddress(text),
    ),
  );

export const IsPassword = () =>
  applyDecorators(
    Text(),
    rule(
      'length',
      (value) => `$property ${lengthFault(String(value)) ?? ''}`,
      (value) => typeof value !== 'string' || lengthFault(value) === null,
    ),
    textRule(
      'common',
      '$property is one that is guessed first. Choose a rarer one.',
      (text) => lengthFault(text) !== null || !isCommonPassword(text),
    ),
  );

/** A stored password: no rule for new ones applies, but for the length that is hashed at most. */
export const IsOldPassword = () =>
  applyDecorators(
    Text(),
    textRule('length', `$property must have 1 to ${PASSWORD_LENGTH.max} characters.`, mayBeStored),
  );

export const IsRole = () =>
  rule('enum', `$property must be one of: ${ROLES.join(', ')}.`, (value) =>
    (ROLES as readonly unknown[]).includes(value),
  );

export const IsFlag = () => rule('boolean', '$property must be true or false.', (value) => typeof value === 'boolean');

export const IsVouched = () =>
  rule(
    'enum',
    '$property can only be true. Leave it out if you do not vouch for the address.',
    (value) => value === true,
  );
