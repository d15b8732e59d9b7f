import { markedTexts } from './shared/search-texts.js';
import { proseKind } from './shared/texts.js';

export const htmlKind = proseKind({ searchTexts: markedTexts });
