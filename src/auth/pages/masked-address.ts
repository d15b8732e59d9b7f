/** `ann@example.com` -> `a•••@example.com`: enough for its owner, too little for others. */
export function maskedAddress(address: string): string {
  const [first = ''] = address;
  return `${first}•••${address.slice(address.lastIndexOf('@'))}`;
}
