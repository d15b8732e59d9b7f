import type { SyntaxNode } from '@lezer/common';
import type { Decorating, Look } from './decorating.js';
import { ImageLine } from './widgets.js';

/** Marks around words: shown while the cursor touches the words. */
const aroundWords: Look = ({ from, to, node: { parent } }, all) => {
  if (parent && !all.isNear(parent.from, parent.to)) all.hide(from, to);
};

const inlineCode: Look = ({ from, to }, all) => all.mark(from, to, 'md-code');

/** A link shows its words; where it leads is said on top of them. One in brackets alone may be none, and stays as it is. */
const link: Look = ({ from, to, node }, all) => {
  const address = addressOf(node, all);
  const close = node.getChildren('LinkMark')[1];
  if (!close || (address === null && !node.getChild('LinkLabel'))) return;
  all.mark(from, to, 'md-link', address === null ? undefined : { 'data-address': address, title: address });
  if (all.isNear(from, to) || close.from === from + 1) return;
  all.hide(from, from + 1);
  all.hide(close.from, to);
};

const image: Look = ({ from, to, node }, all) => {
  const address = addressOf(node, all);
  const close = node.getChildren('LinkMark')[1];
  const isInOneLine = all.state.doc.lineAt(from).to >= to;
  if (!close || address === null || !isInOneLine || all.isNear(from, to)) return;
  all.replace(from, to, new ImageLine(all.state.sliceDoc(from + 2, close.from), address));
};

/** `<https://example.org>`, and the same without the marks. */
const autolink: Look = ({ from, to, node }, all) => {
  if (node.parent?.name === 'Autolink' || node.parent?.name === 'Link' || node.parent?.name === 'Image') return;
  const address = all.state.sliceDoc(from, to);
  const isWeb = /^https?:/.test(address);
  all.mark(from, to, 'md-link', isWeb ? { 'data-address': address } : undefined);
};

const bracketed: Look = ({ from, to }, all) => {
  const address = all.state.sliceDoc(from + 1, to - 1);
  all.mark(from, to, 'md-link', { 'data-address': address });
  if (all.isNear(from, to)) return;
  all.hide(from, from + 1);
  all.hide(to - 1, to);
};

const tag: Look = ({ from, to }, all) => all.mark(from, to, 'md-html');

/** A backslash that takes away the meaning of the sign behind it. */
const escape: Look = ({ from, to }, all) => {
  if (!all.isNear(from, to)) all.hide(from, from + 1);
};

export const INLINES: Readonly<Record<string, Look>> = {
  EmphasisMark: aroundWords,
  StrikethroughMark: aroundWords,
  InlineCode: inlineCode,
  Link: link,
  Image: image,
  URL: autolink,
  Autolink: bracketed,
  HTMLTag: tag,
  Comment: tag,
  Escape: escape,
};

function addressOf(node: SyntaxNode, { state }: Decorating): string | null {
  const url = node.getChild('URL');
  return url && state.sliceDoc(url.from, url.to).replace(/^<|>$/g, '');
}
