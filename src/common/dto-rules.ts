import type * as all from 'class-validator';
import { createRequire } from 'node:module';

/** The decorators of class-validator, one by one. Its entry loads 300 files more: 90 ms of every start, and 13 MiB. */
const load = createRequire(import.meta.url);

function part(file: string): typeof all {
  // Whatever file of the package it is: only what it exports is read from it.
  return load(`class-validator/cjs/${file}.js`) as typeof all;
}

export const { ArrayMaxSize } = part('decorator/array/ArrayMaxSize');
export const { ArrayNotEmpty } = part('decorator/array/ArrayNotEmpty');
export const { IsArray } = part('decorator/typechecker/IsArray');
export const { IsBoolean } = part('decorator/typechecker/IsBoolean');
export const { IsDefined } = part('decorator/common/IsDefined');
export const { IsIn } = part('decorator/common/IsIn');
export const { IsInt } = part('decorator/typechecker/IsInt');
export const { IsString } = part('decorator/typechecker/IsString');
export const { Matches } = part('decorator/string/Matches');
export const { MaxLength } = part('decorator/string/MaxLength');
export const { MinLength } = part('decorator/string/MinLength');
export const { ValidateBy } = part('decorator/common/ValidateBy');
export const { ValidateIf } = part('decorator/common/ValidateIf');

/** The other rules of a field hold only if it is sent. */
export function IfDefined(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** Each item is there once. That of class-validator compares each item with each other one. */
export function ArrayUnique(): PropertyDecorator {
  const validate = (value: unknown): boolean => Array.isArray(value) && new Set(value).size === value.length;
  const defaultMessage = (): string => "All $property's elements must be unique";
  return ValidateBy({ name: 'arrayUnique', validator: { validate, defaultMessage } });
}

const validator = new (part('validation/Validator').Validator)();

const { getMetadataStorage } = part('metadata/MetadataStorage');

export function longestList(dto: new () => object, field: string): number | null {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const rule = rules.find(({ propertyName, name }) => propertyName === field && name === 'arrayMaxSize');
  const [most] = (rule?.constraints ?? []) as readonly number[];
  return most ?? null;
}

export const validatorPackage = {
  validate: validator.validate.bind(validator),
  getMetadataStorage,
};
