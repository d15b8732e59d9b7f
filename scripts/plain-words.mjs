import { hardWords } from './plain-prose.mjs';

/** Words about people in place of things: "what nobody reads" is "what is not read". */
const IDIOM = /\b(?:somebody|nobody|whoever|told|wish(?:es|ed)?)\b/i;
/** A docstring that begins with a question or a pronoun. */
const TURNED_ROUND = /^\*[\s*]*(What|Whether|How|Where|Of|Those|That|Who|When|Which|Whose|Why)\b/;
/** Texts of several words; what else stands in quotes is for programs. */
const SENTENCE = /[a-z],? [a-z]+ [a-z]/i;

/** `'tellNobody'` -> `'tell Nobody'`, `'NOT_TOLD'` -> `'NOT TOLD'` */
const wordsOf = (name) => name.replaceAll('_', ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2');

/** An ESLint rule for comments and names, and for texts, in which other words are refused: they may be about people. */
export default {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      idiom: '"{{word}}": a comment states a fact about the code, a name is the word of the field.',
      docstring: 'A docstring begins with a noun or a verb, not with "{{word}}".',
      hard: '"{{found}}" is hard to read. Write {{better}}.',
    },
  },
  create(context) {
    const check = (text, loc) => {
      const word = IDIOM.exec(text)?.[0];
      if (word) context.report({ loc, messageId: 'idiom', data: { word } });
    };
    const checkName = ({ name, loc }) => check(wordsOf(name), loc);
    const isTest = /\.spec\.tsx?$/.test(context.filename);
    const checkText = (text, loc) => {
      const hard = !isTest && SENTENCE.test(text) ? hardWords(text) : undefined;
      if (hard) context.report({ loc, messageId: 'hard', data: hard });
    };
    const checkComment = ({ type, value, loc }) => {
      check(value, loc);
      const word = type === 'Block' && !isTest ? TURNED_ROUND.exec(value)?.[1] : undefined;
      if (word) context.report({ loc, messageId: 'docstring', data: { word } });
    };
    return {
      Program: () => context.sourceCode.getAllComments().forEach(checkComment),
      Identifier: checkName,
      PrivateIdentifier: checkName,
      Literal: ({ value, loc }) => {
        if (typeof value === 'string') checkText(value, loc);
      },
      TemplateElement: ({ value, loc }) => checkText(value.cooked ?? '', loc),
      JSXText: ({ value, loc }) => checkText(value, loc),
    };
  },
};
