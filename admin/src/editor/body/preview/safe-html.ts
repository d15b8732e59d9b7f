import createPurifier, { type Config } from 'dompurify';
import { marked } from 'marked';
import { place } from '../../../place.js';

/** Elements that are neither text nor a picture, or that load something. */
const FORBID_TAGS = ['style', 'form', 'button', 'select', 'textarea', 'option', 'dialog', 'template', 'map', 'area'];
const LOADING_TAGS = ['audio', 'video', 'source', 'track', 'picture'];
/** The policy of the page allows no styles in attributes, so that they would only be errors. */
const FORBID_ATTR = ['style', 'srcset', 'background', 'poster', 'usemap', 'tabindex', 'accesskey', 'autofocus'];

const RULES: Config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [...FORBID_TAGS, ...LOADING_TAGS],
  FORBID_ATTR,
  ALLOW_DATA_ATTR: false,
};

const purifier = createPurifier(window);
purifier.addHook('uponSanitizeElement', (node) => {
  if (node instanceof Element && node.localName === 'input' && node.getAttribute('type') !== 'checkbox') node.remove();
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.localName === 'a') mendLink(node);
  if (node.localName === 'img') mendImage(node);
  if (node.localName === 'input') node.setAttribute('disabled', '');
});

/** The text of a body as HTML that shows, and does nothing. */
export function safeHtml(text: string, kind: 'markdown' | 'html'): string {
  const html = kind === 'html' ? text : marked.parse(text, { async: false, gfm: true });
  return purifier.sanitize(html, RULES);
}

/** A link of the web or to a mailbox opens in another tab; where others lead is decided by the site. */
function mendLink(link: Element): void {
  const address = link.getAttribute('href') ?? '';
  if (/^(https?|mailto):/i.test(address)) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
    return;
  }
  link.removeAttribute('href');
  if (address !== '') link.setAttribute('title', address);
}

/** An image from elsewhere is not fetched, since its server would learn who reads what: its words stand in its place. */
function mendImage(image: Element): void {
  const address = image.getAttribute('src') ?? '';
  const own = ownAddress(address);
  if (own !== null) return image.setAttribute('src', own);
  const line = image.ownerDocument.createElement('span');
  line.className = 'image';
  line.title = address;
  const alt = image.getAttribute('alt') ?? '';
  line.textContent = alt === '' ? address : alt;
  image.replaceWith(line);
}

/** `/media/hill.jpg` -> `https://cms.example.org/media/hill.jpg`, `null` for one from elsewhere */
function ownAddress(address: string): string | null {
  if (/^data:image\//i.test(address)) return address;
  if (address === '' || !URL.canParse(address, place.serviceUrl)) return null;
  const { href, origin } = new URL(address, place.serviceUrl);
  return origin === new URL(place.serviceUrl).origin ? href : null;
}
