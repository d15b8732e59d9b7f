/** What a mail says, before it has a form. */
export interface Letter {
  readonly subject: string;
  /** Paragraphs of plain text, in order. */
  readonly paragraphs: readonly string[];
  /** A one-time code, shown large. */
  readonly code?: string;
  /** The one thing to do: a button in HTML, a line with the address in text. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Small print below. */
  readonly footer?: string;
}
