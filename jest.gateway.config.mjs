import config from './jest.config.mjs';

/** The files of `deploy/nginx`, run by the program `nginx` in front of instances of the service. */
export default { ...config, testRegex: '\\.nginx\\.e2e-spec\\.ts$', testPathIgnorePatterns: [] };
