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
