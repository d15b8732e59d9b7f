import { SetMetadata, ValidationPipe, type ArgumentMetadata, type ValidationError as Problem } from '@nestjs/common';
import { validatorPackage, longestList } from './dto-rules.js';
import { ValidationError, type Fault } from './errors/domain-error.js';
import { UnreadBody } from './http/body/unread-body.js';
import { required } from './schema/faults.js';

/** `whitelistValidation` is class-validator's word for a field that the DTO does not have. */
const RULES: Readonly<Record<string, string>> = {
  whitelistValidation: 'unknown',
  isDefined: 'required',
  isNotEmpty: 'required',
};

/** Every fault of a (possibly nested) body, in field order. */
function faults(problems: readonly Problem[], parent = ''): Fault[] {
  return problems.flatMap(({ property, value, constraints = {}, children = [] }) => {
    const field = parent === '' ? property : `${parent}.${property}`;
    // The other rules say nothing of a value that is not there.
    if (value === undefined && Object.keys(constraints).length > 0) return [required(field)];
    const own = Object.entries(constraints).map(([constraint, message]) => fault(field, constraint, message));
    return [...own, ...faults(children, field)];
  });
}

function fault(field: string, constraint: string, text: string): Fault {
  const rule = RULES[constraint] ?? snakeCase(constraint);
  return rule === 'unknown' ? unknownField(field) : { field, rule, message: text.endsWith('.') ? text : `${text}.` };
}

function unknownField(field: string): Fault {
  return { field, rule: 'unknown', message: `${field} is not a field of this body.` };
}

/** `isEmail` -> `email` */
function snakeCase(constraint: string): string {
  return constraint
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** No DTO has nearly as many, and each is looked up in it, even without a credential: in ten microseconds or more. */
const MAX_FIELDS = 100;

export const BODY_REQUIRED = 'body:required';

/** Refuses a body that is missing or `null`, where an empty object would be a change of nothing. */
export const BodyRequired = (): ClassDecorator => SetMetadata(BODY_REQUIRED, true);

/** Reads the body of a request, which every guard has let through by now, and holds it against its DTO. */
class BodyPipe extends ValidationPipe {
  /** Leaves parts of a path as they are: the pipe would make a number of `0x13` before the route asks for an id. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return value;
    const body: unknown = value instanceof UnreadBody ? await value.read() : value;
    const { metatype } = metadata;
    if (metatype && body == null && Reflect.hasMetadata(BODY_REQUIRED, metatype)) throw missingBody();
    if (metatype && this.toValidate(metadata)) requireLittle(body, metatype);
    return super.transform(body, metadata);
  }
}

/**
 * Refuses a body that is too much for its DTO. class-validator walks through each value, also behind a limit that is passed,
 * and some of it in the square of their number.
 */
function requireLittle(body: unknown, dto: new () => object): void {
  if (typeof body !== 'object' || body === null) return;
  const names = Object.keys(body);
  if (names.length > MAX_FIELDS) {
    const message = `The body has more than ${MAX_FIELDS} fields.`;
    throw new ValidationError([{ field: '', rule: 'max_length', message }]);
  }
  const inherited = names.filter((name) => name in {});
  if (inherited.length > 0) throw new ValidationError(inherited.map(unknownField));
  const tooMuch = Object.entries(body).flatMap(([field, value]) => extentFault(field, value, dto) ?? []);
  if (tooMuch.length > 0) throw new ValidationError(tooMuch);
}

function missingBody(): ValidationError {
  return new ValidationError([{ field: '', rule: 'object', message: 'Send a JSON object as the body.' }]);
}

/** The one pipe of the application: unknown fields are refused, and all faults are reported together. */
export const validationPipe = new BodyPipe({
  validatorPackage,
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  transform: true,
  exceptionFactory: (problems) => new ValidationError(faults(problems)),
});

/** Values of a field with all that is in them. No DTO takes nearly as many. */
const MAX_VALUES = 1_000;

function extentFault(field: string, value: unknown, dto: new () => object): Fault | null {
  const most = longestList(dto, field);
  if (most !== null && Array.isArray(value) && value.length > most)
    return { field, rule: 'array_max_size', message: `${field} must contain no more than ${most} elements.` };
  if (!hasMoreThan(value, MAX_VALUES)) return null;
  return { field, rule: 'values', message: `${field} holds more than ${MAX_VALUES} values.` };
}

/** Looks at no more of them. */
function hasMoreThan(value: unknown, most: number): boolean {
  const open = [value];
  for (let seen = 1; open.length > 0;) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const held: unknown[] = Array.isArray(next) ? next : Object.values(next);
    seen += held.length;
    if (seen > most) return true;
    open.push(...held);
  }
  return false;
}
