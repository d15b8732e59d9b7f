import { planOf, type Generation } from './plan.js';

const OWN = 'a';

function index(number: number, parts: Partial<Generation> = {}): Generation {
  const name = `cms-${number}`;
  const state = { isServing: false, isNewer: false, isCurrent: true, isSearchable: false };
  return { name, number, database: OWN, feedAlias: `${name}-feed`, ...state, ...parts };
}

const namesOf = (...all: readonly Generation[]) => {
  const { serving, building, leftOver, foreign } = planOf(all, OWN);
  return [serving?.name, building?.name, leftOver.map(({ name }) => name), foreign?.name];
};
const [serving, former] = [{ isServing: true }, { isCurrent: false }];
const newer = { isNewer: true, isCurrent: false };
const foreign = { database: 'b' };

describe('The plan for the indexes of a database', () => {
  it('builds the newest one behind the one that is searched, and removes all others', () => {
    expect(namesOf(index(1), index(2, serving), index(3), index(4))).toEqual([
      'cms-2',
      'cms-4',
      ['cms-1', 'cms-3'],
      undefined,
    ]);
    expect(namesOf(index(1, former), index(2, former))).toEqual([undefined, undefined, ['cms-1', 'cms-2'], undefined]);
  });

  it('leaves those of newer releases alone', () => {
    expect(namesOf(index(1, serving), index(2, newer))).toEqual(['cms-1', undefined, [], undefined]);
    expect(namesOf(index(1), index(2, { ...serving, ...newer }), index(3))).toEqual([
      'cms-2',
      'cms-3',
      ['cms-1'],
      undefined,
    ]);
  });

  it('leaves those of another database alone, and gives the name to the one that is searched', () => {
    expect(namesOf(index(1, { ...serving, ...foreign }), index(2), index(3, newer))).toEqual([
      undefined,
      undefined,
      ['cms-2'],
      'cms-1',
    ]);
    expect(namesOf(index(1, foreign), index(2, serving))).toEqual(['cms-2', undefined, [], undefined]);
  });

  it('gives the name to the first one where none is searched', () => {
    expect(namesOf(index(1, foreign), index(2))).toEqual([undefined, undefined, ['cms-2'], 'cms-1']);
    expect(namesOf(index(1), index(2, foreign))).toEqual([undefined, 'cms-1', [], undefined]);
  });
});
