/** @returns the text without its percent-encoding; `null`: a % in it begins no character */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether the user and the password of an address can be decoded. */
export function hasReadableUser({ username, password }: URL): boolean {
  return percentDecoded(username) !== null && percentDecoded(password) !== null;
}

/** What to do about an address of which {@link hasReadableUser} is false; nothing of the address is in it. */
export function strayPercent(name: string, example: string): string {
  return `${name} has a % in its user or password that begins no character. Write %25 for a %, as in ${example}.`;
}
