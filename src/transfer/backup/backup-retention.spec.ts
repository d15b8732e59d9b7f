import { backupName, backupsAhead, expiredBackups, identityInName, keepRules } from './backup-retention.js';

const ID = '5f1c02ab9e3d4471';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const NOW = Date.UTC(2026, 10, 23, 12);

const daily = (days: number): string[] => Array.from({ length: days }, (_, n) => backupName(ID, NOW - n * DAY_MS));
const keptOf = (names: readonly string[], text: string): string[] => {
  const expired = new Set(expiredBackups(names, keepRules(text) ?? [], NOW));
  return names.filter((name) => !expired.has(name));
};

describe('The backups that are kept', () => {
  it('have the second of their beginning in their names', () => {
    expect(backupName(ID, NOW + 1_999)).toBe('cms-5f1c02ab9e3d4471-2026-11-23T12-00-01Z.backup');
  });

  it('have the identity of their database in their names, which other files have not', () => {
    const others = ['cms-2026-11-23T12-00-01Z.backup', `cms-${ID}-2026-11-23.backup`, `cms-${ID}.backup`, 'notes.txt'];

    expect(identityInName(backupName(ID, NOW))).toBe(ID);
    expect(others.map(identityInName)).toEqual(others.map(() => null));
  });

  it('are the newest of each period of each rule', () => {
    expect(keptOf(daily(40), '7d,4w,2m')).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 8, 15, 23].map((days) => backupName(ID, NOW - days * DAY_MS)),
    );
  });

  it('are the newest ones of their hours, days and years', () => {
    const names = [0, 1, 30, 61].map((minutes) => backupName(ID, NOW - minutes * 60_000));

    expect(keptOf(names, '2h')).toEqual([names[0], names[1]]);
    expect(keptOf(names, '1d')).toEqual([names[0]]);
    expect(keptOf([...names, backupName(ID, Date.UTC(2024, 5))], '2y')).toEqual([
      names[0],
      backupName(ID, Date.UTC(2024, 5)),
    ]);
  });

  it('are pushed out by none of the future, which are named and stay', () => {
    const ahead = [40, 41, 42].map((days) => backupName(ID, NOW + days * DAY_MS));
    const names = [...ahead, ...daily(5)];

    expect(keptOf(names, '3d')).toEqual([...ahead, ...daily(3)]);
    expect(backupsAhead(names, NOW)).toEqual(ahead);
  });

  it('count up to a day ahead, as another machine with a clock of its own may write them', () => {
    const [soon, later] = [0, 1].map((ms) => backupName(ID, NOW + DAY_MS + ms * 1_000));

    expect(backupsAhead([soon ?? '', later ?? ''], NOW)).toEqual([later]);
    expect(keptOf([soon ?? '', later ?? '', ...daily(2)], '1d')).toEqual([soon, later]);
  });

  it('are not fewer for days without a backup', () => {
    const names = [0, 30, 60, 90].map((days) => backupName(ID, NOW - days * DAY_MS));

    expect(keptOf(names, '3d')).toEqual(names.slice(0, 3));
  });

  it('are all files that have other names', () => {
    const others = [
      'cms.sqlite',
      'cms-2026-01-31',
      'cms-2020-01-01T00-00-00Z.backup',
      `cms-${ID}-2020-01-01T00-00-00Z.backup.partial`,
      `cms-${ID}-2020-13-45T00-00-00Z.backup`,
    ];

    expect(expiredBackups([...others, ...daily(3)], keepRules('1d') ?? [], NOW)).toEqual(daily(3).slice(1));
  });

  it.each(['', '7', 'd', '0d', '7d,', '7 d', '-1d', '7x', '7d;4w', '12345d'])('are not said by %j', (text) => {
    expect(keepRules(text)).toBeNull();
  });
});
