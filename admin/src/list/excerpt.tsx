import { excerptParts } from './excerpt-parts.js';

/** The piece of a text in which a search has found its words. @param html as the service answers it */
export function Excerpt({ html }: { readonly html: unknown }) {
  const parts = excerptParts(typeof html === 'string' ? html : '');
  return parts.map(({ text, isFound }, at) => (isFound ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>));
}
