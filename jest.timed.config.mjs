import config from './jest.config.mjs';

/** Tests that measure work, one file after the other. */
export default { ...config, testRegex: '\\.timed\\.(spec|e2e-spec)\\.ts$', testPathIgnorePatterns: [] };
