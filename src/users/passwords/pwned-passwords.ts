/** Port: knows passwords that became public in leaks of other services. */
export abstract class PwnedPasswords {
  /**
   * Whether a password is one of them; `false` where that cannot be found out. It may take seconds, so it is asked
   * outside of units of work.
   *
   * @param password in the form that is hashed, see `hashedForm`
   */
  abstract has(password: string): Promise<boolean>;
}

/** For a service that asks no other one. */
export class UncheckedPasswords extends PwnedPasswords {
  has(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
