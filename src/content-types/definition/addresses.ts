import type { TypeOptions } from './content-type.js';

type Addressing = Pick<TypeOptions, 'url_path'>;

/**
 * Whether records of one slug in several locales would have one address, so that the type can have one of them only:
 * the address has neither the locale nor the id of a record.
 */
export function sharesAddresses({ url_path: path }: Addressing): boolean {
  return !/\{(?:id|locale)\}/.test(path);
}
