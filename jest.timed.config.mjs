import config from './jest.config.mjs';

/** What measures the work that something takes: one file after the other. */
export default { ...config, testRegex: '\\.timed\\.(spec|e2e-spec)\\.ts$', testPathIgnorePatterns: [] };
