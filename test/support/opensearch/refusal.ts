/** An answer of OpenSearch that says what is wrong. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    reason: string,
  ) {
    super(reason);
  }

  get reasons(): { type: string; reason: string } {
    return { type: this.type, reason: this.message };
  }

  get body(): object {
    const { reasons: cause, status } = this;
    return { error: { root_cause: [cause], ...cause }, status };
  }
}

export type Json = Readonly<Record<string, unknown>>;

export function refuse(type: string, reason: string): never {
  throw new Refusal(400, type, reason);
}

/** Whether a value is an object with no other members than those that are named. */
export function membersOf(value: unknown, known: readonly string[], where: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('parsing_exception', `[${where}] malformed, expected an object`);
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) refuse('parsing_exception', `[${where}] does not support [${other}]`);
  return value as Json;
}

/** The one member of an object such as `{"term": {…}}`. */
export function onlyMember(value: unknown, where: string): [string, unknown] {
  const entries = Object.entries(membersOf(value, Object.keys(value ?? {}), where));
  const [first] = entries;
  if (entries.length !== 1 || !first)
    return refuse('parsing_exception', `[${where}] malformed, expected one member and found ${entries.length}`);
  return first;
}
