import config from './jest.config.mjs';

/** Two versions of the service on one database of a server. Needs the history of git: the earlier one is built from it. */
export default {
  ...config,
  testRegex: '/test/rolling/.*\\.e2e-spec\\.ts$',
  testPathIgnorePatterns: [],
  globalSetup: '<rootDir>/test/support/server-required.mjs',
};
