import config from './jest.config.mjs';

process.env.SEARCH_INDEX = 'local';

/** All that searches (analysing texts is the same everywhere), on a server and answered from a file of the process. */
export default {
  ...config,
  testRegex: '/(src/search/(?!text/).*|test/search/.*)\\.(spec|e2e-spec)\\.ts$',
  globalSetup: '<rootDir>/test/support/server-required.mjs',
};
