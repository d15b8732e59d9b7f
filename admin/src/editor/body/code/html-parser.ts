import { LRLanguage } from '@codemirror/language';
import { parser } from '@lezer/html';

/** HTML: a file of its own, which only texts with HTML load. */
export const html = LRLanguage.define({ parser });
