/** A session that a request has shown. */
export interface PresentedSession {
  readonly id: string;
  /**
   * The time of sign-in of the access token that was shown, milliseconds since 1970, UTC; `null`: the session was shown
   * by its refresh token.
   */
  readonly authTime: number | null;
}
