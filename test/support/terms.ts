import { analyze, joinedForms } from '../../src/search/text/analysis/analyzer.js';

/** The terms of a text as an index has them, made of its tokens and at once: what `indexText` makes of any that is not too long. */
export function termsOf(text: string): string {
  const tokens = analyze(text);
  const forms = joinedForms(tokens).flatMap(({ term }) => ['___', term]);
  return [...tokens.map(({ term }) => term), ...forms].join(' ');
}
