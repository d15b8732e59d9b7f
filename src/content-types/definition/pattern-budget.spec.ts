import { PatternBudget } from './pattern-budget.js';

const COSTLY = '^(a|b|c|ab|bc){1,40}$';
const aField = (name: string, pattern: string, max?: number) => ({
  id: name,
  name,
  type: 'string' as const,
  pattern,
  ...(max === undefined ? {} : { max_length: max }),
});

describe('The patterns of a type', () => {
  it('may be many that cost little', () => {
    const patterns = new PatternBudget();

    const refusals = Array.from({ length: 200 }, (_, at) => patterns.add(aField(`f${at}`, '^[a-z0-9-]+$')));

    expect(refusals.filter(Boolean)).toEqual([]);
  });

  it('are refused from the one on that makes them too large together', () => {
    const patterns = new PatternBudget();

    const refusals = Array.from({ length: 200 }, (_, at) => patterns.add(aField(`f${at}`, COSTLY)));

    const first = refusals.findIndex(Boolean);
    expect(first).toBeGreaterThan(5);
    expect(refusals.slice(0, first).every((refusal) => refusal === null)).toBe(true);
    expect(refusals.slice(first).every((refusal) => refusal?.rule === 'max')).toBe(true);
  });

  it('count for the longest text of each field', () => {
    const patterns = new PatternBudget();
    const field = { id: 'a', type: 'text' as const, pattern: COSTLY };

    const refusal = patterns.add(field);
    const reach = Number(/Set max_length to (\d+) or less/.exec(refusal?.message ?? '')?.[1]);

    expect(refusal?.message).toContain('takes too long for 500000 characters');
    expect(new PatternBudget().add({ ...field, max_length: reach })).toBeNull();
    expect(new PatternBudget().add({ ...field, max_length: reach + 1 })).toMatchObject({ rule: 'max' });
  });

  it('stay where they are, and leave less for others', () => {
    const before = Array.from({ length: 200 }, (_, at) => aField(`f${at}`, COSTLY));
    const patterns = new PatternBudget(before, before);

    expect(before.map((field) => patterns.add(field)).filter(Boolean)).toEqual([]);
    expect(patterns.add(aField('other', '^a$'))).toMatchObject({ rule: 'max' });
  });

  it('leave no room for a new one that stands before them', () => {
    const before = Array.from({ length: 20 }, (_, at) => aField(`f${at}`, COSTLY));
    const first = aField('first', '^.{1000}$');

    expect(new PatternBudget([], [first]).add(first)).toBeNull();
    expect(new PatternBudget(before, [first, ...before]).add(first)).toMatchObject({ rule: 'max' });
  });

  it('may become shorter for the same texts, and not longer', () => {
    const before = { id: 'a', type: 'text' as const, pattern: '(?i)[ab]*a[ab]{300}', max_length: 60_000 };

    expect(new PatternBudget([before]).add({ ...before, max_length: 50_000 })).toBeNull();
    expect(new PatternBudget([before]).add({ ...before, max_length: 60_001 })).toMatchObject({ rule: 'max' });
  });

  it('have the syntax of RE2', () => {
    expect(new PatternBudget().add(aField('a', '(?=x)'))).toMatchObject({ rule: 'pattern' });
  });
});
