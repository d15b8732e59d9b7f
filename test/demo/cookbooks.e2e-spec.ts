import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, ROOT } from '../support/documented-steps.js';
import { itWorksOnOneDemo } from '../support/documented-walk.js';

const FOLDER = 'docs/cookbooks';
const SETTINGS = { CORS_ORIGINS: 'http://localhost:5173', REDIRECT_ALLOW_LIST: 'com.example.app:/signed-in' };
/** In the order of reading, since they share the demo. */
const PAGES = ['model-a-site', 'public-website', 'single-page-app', 'mobile-app', 'behind-your-gateway', 'move-in'];
const files = PAGES.map((page) => `${FOLDER}/${page}.md`);

it('All cookbooks are run', () => {
  expect(PAGES.map((page) => `${page}.md`).toSorted()).toEqual(readdirSync(join(ROOT, FOLDER)).toSorted());
});

describe('The cookbooks, on one demo', () => {
  itWorksOnOneDemo(files, SETTINGS);
});

describe('The settings of that demo', () => {
  it.each(Object.entries(SETTINGS))('%s=%s stands in a command that starts it', (name, value) => {
    const starts = files.flatMap(blocksOf).map(({ text }) => text);

    expect(starts).toContain(`${name}=${value} npm run demo\n`);
  });
});
