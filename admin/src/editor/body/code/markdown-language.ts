import { defineLanguageFacet, Language, LanguageSupport, ParseContext } from '@codemirror/language';
import { GFM, parseCode, parser } from '@lezer/markdown';
import { codeParserOf } from './code-languages.js';

/** The code of a block is read as soon as its language is loaded; until then it is plain. */
const code = parseCode({
  codeParser: (info) => {
    const found = codeParserOf(info);
    return found instanceof Promise ? ParseContext.getSkippingParser(found) : found;
  },
});

const language = new Language(defineLanguageFacet(), parser.configure([GFM, code]), [], 'markdown');

/** Markdown as GitHub has it, without the grammars of HTML, CSS and JavaScript, which would weigh as much as the editor. */
export const markdown = new LanguageSupport(language);
