import { SetMetadata, ValidationPipe, type ArgumentMetadata, type ValidationError as Problem } from '@nestjs/common';
import { validatorPackage, longestList } from './dto-rules.js';
import { ValidationError, type Fault } from './errors/domain-error.js';
import { UnreadBody } from './http/body/unread-body.js';

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
    if (value === undefined && Object.keys(constraints).length > 0) return [missing(field)];
    const own = Object.entries(constraints).map(([constraint, message]) => fault(field, constraint, message));
    return [...own, ...faults(children, field)];
  });
}

/** The one fault of a value that is not there: its other rules say nothing of it. */
function missing(field: string): Fault {
  return { field, rule: 'required', message: `${field} is required.` };
}

function fault(field: string, constraint: string, text: string): Fault {
  const rule = RULES[constraint] ?? snakeCase(constraint);
  return rule === 'unknown' ? unknownField(field) : { field, rule, message: sentence(text) };
}

function unknownField(field: string): Fault {
  return { field, rule: 'unknown', message: `${field} is not a field of this body.` };
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** `isEmail` -> `email` */
function snakeCase(constraint: string): string {
  return constraint
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** No DTO has nearly as many. */
const MAX_FIELDS = 100;

export const BODY_REQUIRED = 'body:required';

/** Refuses a body that is missing or `null`, where an empty object would be a change of nothing. */
export const BodyRequired = (): ClassDecorator => SetMetadata(BODY_REQUIRED, true);

/** Reads the body of a request, which every guard has let through by now, and holds it against its DTO. */
class BodyPipe extends ValidationPipe {
  /**
   * Parts of a path are left as they are: the pipe would make a number of `0x13` before the route asks whether it is an id.
   * class-transformer drops fields named like a method of every object (`toString`), without a word.
   */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return value;
    const body: unknown = value instanceof UnreadBody ? await value.read() : value;
    const { metatype } = metadata;
    if (metatype && body == null && Reflect.hasMetadata(BODY_REQUIRED, metatype)) throw missingBody();
    if (metatype && this.toValidate(metadata)) requireLittle(body, metatype);
    return super.transform(body, metadata);
  }
}

/** @param dto class of the body */
function requireLittle(body: unknown, dto: new () => object): void {
  if (typeof body !== 'object' || body === null) return;
  requireOwnFields(Object.keys(body));
  const faults = extentFaults(body, dto);
  if (faults.length > 0) throw new ValidationError(faults);
}

/** Each field is looked up in the DTO, of those too who have no credential yet: in ten microseconds or more. */
function requireOwnFields(names: readonly string[]): void {
  if (names.length > MAX_FIELDS) {
    const message = `The body has more than ${MAX_FIELDS} fields.`;
    throw new ValidationError([{ field: '', rule: 'max_length', message }]);
  }
  const inherited = names.filter((name) => name in {});
  if (inherited.length > 0) throw new ValidationError(inherited.map(unknownField));
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

/**
 * The parts of a body that are too much for its DTO. class-transformer and class-validator walk through each value, some of it in
 * the square of their number, and go on behind a limit that is passed: such a body is refused before they see it.
 *
 * @param dto class of the body
 */
function extentFaults(body: object, dto: new () => object): Fault[] {
  return Object.entries(body).flatMap(
    ([field, value]) => listFault(field, value, dto) ?? valuesFault(field, value) ?? [],
  );
}

function listFault(field: string, value: unknown, dto: new () => object): Fault | null {
  const most = longestList(dto, field);
  if (most === null || !Array.isArray(value) || value.length <= most) return null;
  return { field, rule: 'array_max_size', message: `${field} must contain no more than ${most} elements.` };
}

function valuesFault(field: string, value: unknown): Fault | null {
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
