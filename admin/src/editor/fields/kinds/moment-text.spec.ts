import { readItems } from './list-texts.js';
import { localText, readMoment, stepOf } from './moment-text.js';

describe('A moment in an input', () => {
  it.each([
    '2026-07-30T12:34:00.000Z',
    '2026-07-30T12:34:56.000Z',
    '2026-01-30T23:59:59.789Z',
    '0099-01-01T12:00:00.000Z',
  ])('is %s again when it is read from there', (instant) => {
    expect(readMoment(localText(instant))).toEqual({ value: instant });
  });

  it('shows seconds where there are some, and only there', () => {
    expect(localText('2026-07-30T12:34:00.000Z')).toHaveLength(16);
    expect([stepOf('2026-07-30T12:34'), stepOf('2026-07-30T12:34:56'), stepOf('2026-07-30T12:34:56.789')]).toEqual([
      60, 1, 0.001,
    ]);
  });

  it('is none where it is nothing', () => {
    expect(readMoment('')).toEqual({ value: null });
    expect(localText('soon')).toBe('');
  });
});

/** The process that runs the tests, which has the zone. */
declare const process: { readonly env: Record<string, string | undefined> };

describe('A moment near a change of the clock', () => {
  const { TZ } = process.env;
  const inZone = (zone: string) => {
    process.env.TZ = zone;
  };
  afterEach(() => {
    delete process.env.TZ;
    if (TZ !== undefined) process.env.TZ = TZ;
  });

  it('is none where the clock goes forward over it', () => {
    inZone('Europe/Berlin');

    expect(readMoment('2026-03-29T02:30').fault).toContain('There is no such time');
    expect(readMoment('2026-03-29T03:00')).toEqual({ value: '2026-03-29T01:00:00.000Z' });
    expect(readMoment('2026-03-29T01:59:59.5')).toEqual({ value: '2026-03-29T00:59:59.500Z' });
  });

  it('stays the first or the second of an hour that comes twice', () => {
    inZone('Europe/Berlin');
    const [first, second] = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'];
    const text = localText(second);
    const item = { name: 'times', type: 'datetime', label: 'Times', required: false };

    expect([localText(first), readMoment(text)]).toEqual([text, { value: first }]);
    expect(readMoment(text, [second])).toEqual({ value: second });
    expect(readItems([text, text], item, { label: '', known: [first, second] })).toEqual({ value: [first, second] });
  });

  it('stays in the hour that it was in when it is corrected, as long as it can', () => {
    inZone('Europe/Berlin');
    const [first, second] = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'];
    const item = { name: 'times', type: 'datetime', label: 'Times', required: false };
    const list = (...texts: string[]) => readItems(texts, item, { label: '', known: [first, second] });

    expect(readMoment('2026-10-25T02:35', [second])).toEqual({ value: '2026-10-25T01:35:00.000Z' });
    expect(readMoment('2026-07-25T02:35', [second])).toEqual({ value: '2026-07-25T00:35:00.000Z' });
    expect(readMoment('2026-03-29T02:30', [second]).fault).toContain('There is no such time');
    expect(list('2026-10-25T02:30', '2026-10-25T02:35')).toEqual({ value: [first, '2026-10-25T01:35:00.000Z'] });
    expect(list('2026-10-25T02:35', '2026-10-25T02:30')).toEqual({ value: ['2026-10-25T00:35:00.000Z', second] });
  });

  it('is none in a year that the service does not take', () => {
    inZone('America/New_York');

    expect(readMoment('9999-12-31T18:59').fault).toBeUndefined();
    expect(readMoment('9999-12-31T19:00').fault).toContain('years 0000 to 9999');
  });
});
