import config from './jest.config.mjs';

/** Tests that take long: processes that are killed again and again, deadlines that pass, contents in large numbers. */
export default {
  ...config,
  testRegex: '\\.slow\\.e2e-spec\\.ts$',
  testPathIgnorePatterns: [],
};
