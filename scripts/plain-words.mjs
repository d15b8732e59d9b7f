/** Words about people in place of things: "what nobody reads" is "what is not read". */
const IDIOM = /\b(?:somebody|nobody|whoever|told|wish(?:es|ed)?)\b/i;

/** `'tellNobody'` -> `'tell Nobody'`, `'NOT_TOLD'` -> `'NOT TOLD'` */
const wordsOf = (name) => name.replaceAll('_', ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2');

/** An ESLint rule for comments and names. Texts are free: the words may be right for a reader of an answer or a mail. */
export default {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { idiom: '"{{word}}": a comment states a fact about the code, a name is the word of the field.' },
  },
  create(context) {
    const check = (text, loc) => {
      const word = IDIOM.exec(text)?.[0];
      if (word) context.report({ loc, messageId: 'idiom', data: { word } });
    };
    const checkName = ({ name, loc }) => check(wordsOf(name), loc);
    return {
      Program: () => context.sourceCode.getAllComments().forEach(({ value, loc }) => check(value, loc)),
      Identifier: checkName,
      PrivateIdentifier: checkName,
    };
  },
};
