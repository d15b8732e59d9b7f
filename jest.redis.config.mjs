import config from './jest.config.mjs';

/** What needs the program `redis-server`. */
export default { ...config, testRegex: '\\.redis\\.e2e-spec\\.ts$', testPathIgnorePatterns: [] };
