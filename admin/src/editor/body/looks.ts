import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONOSPACE = 'var(--mantine-font-family-monospace)';
const DIMMED = { color: 'var(--mantine-color-dimmed)' };

/** Looks of Markdown, with or without its marks. */
const textLooks = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '680' },
  { tag: tags.strong, fontWeight: '680' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: MONOSPACE },
  { tag: tags.link, color: 'var(--mantine-color-anchor)' },
  { tag: [tags.url, tags.processingInstruction, tags.contentSeparator, tags.labelName], ...DIMMED },
]);

/** Looks of the code of a block, or of an HTML body. */
const codeLooks = HighlightStyle.define([
  { tag: [tags.comment, tags.documentMeta, tags.angleBracket], ...DIMMED },
  { tag: [tags.keyword, tags.tagName, tags.modifier, tags.operatorKeyword], color: 'var(--c-code-word)' },
  { tag: [tags.string, tags.attributeValue, tags.regexp, tags.inserted], color: 'var(--c-code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.character], color: 'var(--c-code-number)' },
  { tag: [tags.typeName, tags.className, tags.propertyName, tags.attributeName], color: 'var(--c-code-name)' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: 'var(--c-code-name)' },
  { tag: tags.deleted, color: 'var(--mantine-color-error)' },
]);

/** The frame around each text. */
const frame = EditorView.theme({
  '&': { fontSize: '17px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.75', overflowX: 'visible' },
  '.cm-content': { padding: '0 0 96px', caretColor: 'var(--mantine-color-text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-primary-color-filled)', borderLeftWidth: '2px' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--mantine-primary-color-filled) 24%, transparent)',
  },
});

/** A text as it is stored: every letter as wide as the next. */
export const plainLooks = EditorView.theme({
  '.cm-scroller': { fontFamily: MONOSPACE, fontSize: '14px', lineHeight: '24px' },
});

export const looks = [frame, syntaxHighlighting(textLooks), syntaxHighlighting(codeLooks)];
