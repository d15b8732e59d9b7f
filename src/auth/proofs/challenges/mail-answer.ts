/** The answer to every request for a mail: it does not show who has an account. */
export interface MailAnswer {
  readonly message: string;
  /** How long what the mail holds is good for, seconds. */
  readonly expires_in: number;
  /** Until another mail can be sent, seconds. */
  readonly resend_in: number;
}
