import config from './jest.config.mjs';

/** Tests that need the program `redis-server`. */
export default { ...config, testRegex: '\\.redis\\.e2e-spec\\.ts$', testPathIgnorePatterns: [] };
