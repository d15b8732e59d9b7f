const MAX_LENGTH = 254;
/** No quotes, commas, brackets or control characters: nothing that could end an address and begin something else. */
const LOCAL_PART = /^[^\s\p{Cc}\p{Cf}"(),:;<>@[\\\]]{1,64}$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** True if an address can be written into a mail and sent as it is. A domain may be one name, such as `localhost`. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > MAX_LENGTH) return false;
  const labels = text.slice(at + 1).split('.');
  return LOCAL_PART.test(text.slice(0, at)) && labels.every((label) => LABEL.test(label));
}
