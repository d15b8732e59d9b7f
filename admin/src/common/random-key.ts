/** A random text that no other page makes. Pages without TLS lack `crypto.randomUUID`. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
