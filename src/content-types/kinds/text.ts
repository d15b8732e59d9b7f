import { proseKind } from './shared/texts.js';

/** A plain text of many lines. */
export const textKind = proseKind({});
