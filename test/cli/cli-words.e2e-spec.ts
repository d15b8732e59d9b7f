import { runner } from '../support/cli-runner.js';

/** What commander answers before a command begins, for which no service is needed. */
describe('The words of the command line', () => {
  const run = runner({});

  it.each([
    ['--help', /^Usage: npm run cli -- .*^ {2}token +Make, list, end and replace API tokens\.$/ms],
    ['-h', /^ {2}doctor \[options\] +Check Node/m],
    ['token --help', /^Usage: npm run cli -- token .*^ {2}create \[options\] .*^ {2}rotate <id> /ms],
    ['token create --help', /^Usage: npm run cli -- token create .*--expires <instant\|never>.*^ {2}--json /ms],
    ['migrate --help', /^Usage: npm run cli -- migrate/],
    ['help migrate', /^Usage: npm run cli -- migrate/],
    ['help', /^ {2}doctor \[options\] +Check Node/m],
    ['doctor --help --json', /^\{\n {2}"help": "Usage: npm run cli -- doctor .*\\n/],
    ['--json token -h', /^\{\n {2}"help": "Usage: npm run cli -- token .*\\n/],
  ])('%s explains and ends with 0', async (line, part) => {
    const { code, out, error } = await run(line);

    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(part);
  });

  const OVERVIEW = 'Usage: npm run cli -- [options] [command]\n';
  const OF_TOKEN = 'Usage: npm run cli -- token [options] [command]\n';

  it.each([
    ['', `error: unknown command ''\n\n${OVERVIEW}`, /^ {2}doctor /m],
    ['nonsense', `error: unknown command 'nonsense'\n\n${OVERVIEW}`, /^ {2}doctor /m],
    ['nonsense --help', `error: unknown command 'nonsense'\n\n${OVERVIEW}`, /^ {2}doctor /m],
    ['help nonsense', OVERVIEW, /^ {2}doctor /m],
    ['--nonsense', `error: unknown option '--nonsense'\n\n${OVERVIEW}`, /^ {2}doctor /m],
    ['token', OF_TOKEN, /^ {2}create \[options\] +Make an API token/m],
    [
      'token nonsense',
      `error: unknown command 'nonsense'\n\n${OF_TOKEN}`,
      /^ {2}create \[options\] +Make an API token/m,
    ],
  ])('ends with 2 for "%s" and shows the commands', async (line, beginning, command) => {
    const { code, out, error } = await run(line);
    const inJson = await run(`--json ${line}`);

    expect([code, out]).toEqual([2, '']);
    expect(error.slice(0, beginning.length)).toBe(beginning);
    expect(error).toMatch(command);
    expect([inJson.code, inJson.out]).toEqual([2, '']);
    const fault = beginning.startsWith('error') ? beginning.split('\n\n')[0] : error;
    expect(JSON.parse(inJson.error)).toEqual({ error: 'wrong_use', message: fault });
  });

  it.each([[[]], [['--json']]])('ends with 2 for %j and shows the commands', async (line) => {
    const { code, out, error } = await run(line);

    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/Usage: npm run cli -- \[options\] \[command\].*doctor/s);
  });

  it.each([
    ['migrat', 'migrate'],
    ['tokens list', 'token'],
    ['tokens --help', 'token'],
    ['token creat', 'create'],
    ['imprt posts --type post', 'import'],
  ])('asks at "%s" whether %s was meant', async (line, meant) => {
    expect((await run(line)).error).toContain(`'\n(Did you mean ${meant}?)\n\nUsage: npm run cli -- `);
  });

  it.each([
    ['no name', ['--scopes', '*'], "error: required option '--name <name>' not specified"],
    ['an option without its value', ['--name'], "error: option '--name <name>' argument missing"],
    [
      'an option in the place of a value',
      ['--scopes', '*', '--name', '--help'],
      "error: option '--name <name>' argument missing",
    ],
    [
      'an unknown option',
      ['--name', 'ci', '--scopes', '*', '--expire', 'never'],
      "error: unknown option '--expire'\n(Did you mean --expires?)",
    ],
    [
      'a word too many',
      ['--name', 'ci', '--scopes', 'records:read', 'drafts:read'],
      "error: too many arguments for 'create'. Expected 0 arguments but got 1.",
    ],
  ])('token create explains itself and ends with 2 for %s', async (_, options, sentence) => {
    const { code, out, error } = await run(['token', 'create', ...options]);
    const inJson = await run(['token', 'create', ...options, '--json']);

    expect([code, out]).toEqual([2, '']);
    expect(error.split('\n\n').slice(0, 2)).toEqual([sentence, 'Usage: npm run cli -- token create [options]']);
    expect(error).toMatch(/^ {2}--name <name> \(required\) +Who uses the token\.$/m);
    expect(error).toMatch(/^ {2}--expires <instant\|never> +When it ends/m);
    expect([inJson.code, inJson.out]).toEqual([2, '']);
    expect(JSON.parse(inJson.error)).toEqual({ error: 'wrong_use', message: sentence });
  });
});
