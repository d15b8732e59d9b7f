import { markedTexts } from './shared/search-texts.js';
import { proseKind } from './shared/texts.js';

export const markdownKind = proseKind({ searchTexts: markedTexts });
