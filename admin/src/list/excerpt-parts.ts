/** A piece of an excerpt. */
interface ExcerptPart {
  readonly text: string;
  /** True if it is a word that was looked for. */
  readonly isFound: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** An excerpt in pieces, as plain text: nothing of it is ever read as HTML. */
export function excerptParts(html: string): ExcerptPart[] {
  return html
    .split(/<mark>(.*?)<\/mark>/s)
    .map((text, at) => ({ text: plain(text), isFound: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
