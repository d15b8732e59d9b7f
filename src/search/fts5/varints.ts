const MORE = 0x80;
const REST = 0x7f;

/** Numbers as SQLite packs them in the tables of an index: seven bits in a byte, the highest first. */
export function varints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * MORE + (byte & REST);
    if ((byte & MORE) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** The same as the sum of {@link varints}, without a list of them. */
export function sumOfVarints(bytes: Uint8Array): number {
  let sum = 0;
  let number = 0;
  for (const byte of bytes) {
    number = number * MORE + (byte & REST);
    if ((byte & MORE) !== 0) continue;
    sum += number;
    number = 0;
  }
  return sum;
}
