import { defineKind, taking, type FieldRules, type KindDefinition } from './kind-definition.js';
import { arraySchema, DEFAULT_STRING_LENGTH, MAX_ITEMS } from './shared/schemas.js';

/** Rules of a list that are about its items. */
const ITEM_RULES: ReadonlySet<string> = new Set(['min', 'max', 'pattern', 'values', 'searchable']);

const takesItself = taking('of', 'min_length', 'max_length', 'default', 'indexed');

/** Several values of one kind. @param kindOf the kind of a name, or that of items of which the field does not say it */
export function listOf(kindOf: (of: string | undefined) => KindDefinition): KindDefinition {
  return defineKind({
    countsItems: true,
    title: ({ of }) => (of === undefined ? 'list' : `list of ${of}`),
    takes: (rule, shape) =>
      takesItself(rule, shape) || (shape.of !== undefined && ITEM_RULES.has(rule) && kindOf(shape.of).takes(rule, {})),
    needs: (shape) => (shape.of === undefined ? ['of'] : ['of', ...kindOf(shape.of).needs({})]),
    limits: (shape) => (shape.of === undefined ? null : kindOf(shape.of).limits({})),
    schema: (rules) => arraySchema(kindOf(rules.of).schema(itemRules(rules)), rules),
    answerSchema: (rules) => ({ type: 'array', items: kindOf(rules.of).answerSchema(itemRules(rules)) }),
    longestText: ({ max_length: most }) => (most ?? MAX_ITEMS) * DEFAULT_STRING_LENGTH,
    maxItems: ({ max_length: most }) => most ?? MAX_ITEMS,
    isOneLine: ({ of }) => kindOf(of).isOneLine({}),
    canonical: ({ of }) => kindOf(of).canonical({}),
    normalise: (value, rules) => normalisedItems(value as readonly unknown[], rules),
    comparison: ({ of }) => kindOf(of).comparison({}),
    sample: listSample,
    fromCell: (text, { of }) => kindOf(of).fromCell(text, {}),
    fromValue: (value, { of }) => kindOf(of).fromValue(value, {}),
    toCell: (value, { of }) => kindOf(of).toCell(value, {}),
  });

  function normalisedItems(items: readonly unknown[], rules: FieldRules): unknown[] {
    const kind = kindOf(rules.of);
    return items.map((item) => kind.normalise(item, rules));
  }

  function listSample(rules: FieldRules): unknown {
    const item = kindOf(rules.of).sample(itemRules(rules));
    return item === undefined ? undefined : Array.from({ length: Math.max(1, rules.min_length ?? 1) }, () => item);
  }
}

/** The rules that are not about the number of items. */
function itemRules({ min_length: _least, max_length: _most, ...rules }: FieldRules): FieldRules {
  return { ...rules, required: false };
}
