import config from './jest.config.mjs';

if (!process.env.TEST_DATABASE_URL)
  throw new Error('SEARCH_INDEX=local is for servers: name one in TEST_DATABASE_URL.');
process.env.SEARCH_INDEX = 'local';

/** All that searches (analysing texts is the same everywhere), on a server and answered from a file of the process. */
export default {
  ...config,
  testRegex: '/(src/search/(?!text/).*|test/search[a-z-]*)\\.(spec|e2e-spec)\\.ts$',
};
