import { createContext, Script } from 'node:vm';
import { membersOf, refuse, type Json } from './refusal.js';

/** The score of a term: how often it stands in a text of some length, and what it is multiplied by. */
export type Similarity = (boost: number, freq: number, length: number) => number;

/** Scripts that are Painless and JavaScript as well, as expressions of numbers are. */
function compiled(parameters: string, source: string): (...values: unknown[]) => number {
  return new Script(`(function (${parameters}) { ${source} })`).runInContext(createContext({})) as () => number;
}

/** The similarities of an index, by name. */
export function similaritiesOf(settings: unknown): ReadonlyMap<string, Similarity> {
  const named = Object.entries((settings ?? {}) as Record<string, Json>);
  return new Map(named.map(([name, similarity]) => [name, scripted(name, similarity)]));
}

function scripted(name: string, settings: Json): Similarity {
  const { type, script } = membersOf(settings, ['type', 'script', 'weight_script'], name);
  if (type !== 'scripted') refuse('illegal_argument_exception', `The double has no similarity [${name}] of that kind`);
  const { source } = membersOf(script, ['source', 'lang', 'params', 'options'], 'script');
  const run = compiled('weight, query, field, term, doc', String(source));
  const score: Similarity = (boost, freq, length) =>
    Math.fround(run(1, { boost }, {}, {}, { freq: Math.fround(freq), length }));
  requireSound(name, score);
  return score;
}

/** What OpenSearch tries a similarity with before it makes an index. */
function requireSound(name: string, score: Similarity): void {
  for (const length of [1, 10, 100, 1_000_000]) {
    for (const freq of [1, 2, 10]) {
      const value = score(1, freq, length);
      if (!(value >= 0)) refuse('illegal_argument_exception', `Similarity [${name}] gives negative scores`);
      if (score(1, freq + 1, length) < value)
        refuse('illegal_argument_exception', `Scores of [${name}] decrease with term frequency`);
      if (score(1, freq, length * 2) > value)
        refuse('illegal_argument_exception', `Scores of [${name}] increase with the length of the field`);
    }
  }
}

/** The script of a `script_score`: an expression of `_score` and `params`. */
export function scoreScript(script: unknown): (score: number) => number {
  const { source, params } = membersOf(script, ['source', 'lang', 'params'], 'script');
  const run = compiled('_score, params', `return ${String(source)}`);
  return (score) => {
    const value = Math.fround(run(score, params ?? {}));
    if (!(value >= 0)) refuse('illegal_argument_exception', 'script_score script returned an invalid score');
    return value;
  };
}
