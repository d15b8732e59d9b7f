/** What everybody is answered who asks for a mail: it does not tell who has an account. */
export interface MailAnswer {
  readonly message: string;
  /** How long what the mail holds is good for, seconds. */
  readonly expires_in: number;
  /** Until another mail can be sent, seconds. */
  readonly resend_in: number;
}
