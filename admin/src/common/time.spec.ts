import { clockTime, exactTime, relativeTime, waitText } from './time.js';

describe('relativeTime', () => {
  const now = Date.parse('2026-01-30T12:00:00.000Z');

  it.each([
    ['2026-01-30T11:59:31.000Z', 'just now'],
    ['2026-01-30T11:59:00.000Z', '1 minute ago'],
    ['2026-01-30T10:00:00.000Z', '2 hours ago'],
    ['2026-01-29T12:00:00.000Z', 'yesterday'],
    ['2025-01-15T12:00:00.000Z', 'last year'],
  ])('says of %s that it was %s', (instant, text) => {
    expect(relativeTime(instant, now)).toBe(text);
  });
});

describe('clockTime', () => {
  const at = new Date(2026, 0, 30, 14, 2);

  it('says the time of today alone, and any other day with it', () => {
    const [soon, later] = [at.getTime() + 60_000, at.getTime() + 86_400_000];

    expect(clockTime(at.toISOString(), soon)).toMatch(/^2:02\sPM$/);
    expect(clockTime(at.toISOString(), later)).toBe(exactTime(at.toISOString()));
  });
});

describe('waitText', () => {
  it.each([
    [1, '1 second'],
    [59.2, '60 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
  ])('says of %d seconds: %s', (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });
});
