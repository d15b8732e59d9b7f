import { readDatabase, type SettingsError } from '../settings.js';

const URL_OF_SERVER = 'mysql://app:hush@db1:3306/cms';

const read = (environment: Record<string, string>) =>
  readDatabase('test', { DATABASE_URL: URL_OF_SERVER, ...environment });

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    return (error as SettingsError).faults;
  }
  return [];
}

describe('DATABASE_POOL', () => {
  it('is ten without a word', () => {
    expect(read({})).toMatchObject({ pool: 10 });
  });

  it.each(['2', '200'])('may be %s', (DATABASE_POOL) => {
    expect(read({ DATABASE_POOL })).toMatchObject({ pool: Number(DATABASE_POOL) });
  });

  it.each(['1', '201', 'many'])('may not be %s', (DATABASE_POOL) => {
    expect(faultsOf({ DATABASE_POOL })).toEqual([expect.stringContaining('DATABASE_POOL')]);
  });
});
