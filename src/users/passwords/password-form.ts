/** Characters (code points) that a new password may have in the form that is hashed. */
export const PASSWORD_LENGTH = { min: 12, max: 256 };
/** Of the texts that are looked at, UTF-16 code units: NFKC makes one character of four at most. */
const MAX_UNITS = 2 * 4 * PASSWORD_LENGTH.max;

/**
 * The form in which passwords are compared, counted and hashed: it does not matter which keyboard composed a letter.
 *
 * @see NIST SP 800-63B 5.1.1.2
 */
export function hashedForm(password: string): string {
  return password.normalize('NFKC');
}

/** Why the length of a new password does not fit, as the end of a sentence; `null`: it fits. */
export function lengthFault(password: string): string | null {
  const length = lengthOf(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return null;
  const rule = `must have ${min} to ${max} characters`;
  // Otherwise the user would count enough of them.
  const isCountedOtherwise = length !== Infinity && length !== codePoints(password);
  return isCountedOtherwise ? `${rule}, and has ${length} in the form that counts (Unicode NFKC).` : `${rule}.`;
}

/** Whether a text may be a password that is stored: the length of former ones was counted as they were typed. */
export function mayBeStored(password: string): boolean {
  const { max } = PASSWORD_LENGTH;
  return password !== '' && (password.length <= max || lengthOf(password) <= max);
}

/** `Infinity`: too long to be looked at. */
function lengthOf(password: string): number {
  return password.length > MAX_UNITS ? Infinity : codePoints(hashedForm(password));
}

function codePoints(text: string): number {
  return Array.from(text).length;
}
