export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A one-time code, shown large. */
  readonly code?: string;
  /** The one thing to do: a button in HTML, a line with the address in text. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Small print below. */
  readonly footer?: string;
}

/** Control and format characters, which could break a line or turn its direction. */
const INVISIBLE = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
/** Separators of lines and paragraphs: no letter has them, but names of before they were refused. */
const SEPARATORS = /[\p{Zl}\p{Zp}]/gu;

export function subjectOf({ subject }: Letter): string {
  return plain(subject).replace(/\s+/g, ' ').trim();
}

export function textOf(letter: Letter): string {
  const { paragraphs, code, action, footer } = letter;
  const parts = [
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...(footer === undefined ? [] : [`-- \n${footer}`]),
  ];
  return `${parts.map(plain).join('\n\n')}\n`;
}

/** A text without invisible characters. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEPARATORS, ' ').replace(INVISIBLE, '');
}

/** The parts of a letter that open an account. */
export function secretsOf({ code, action }: Letter): { readonly code?: string; readonly link?: string } {
  return { ...(code === undefined ? {} : { code }), ...(action === undefined ? {} : { link: action.url }) };
}
