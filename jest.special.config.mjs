import { kind, run } from './jest.config.mjs';

const tests = (displayName, testRegex, options = {}) => ({ ...kind, displayName, testRegex, ...options });

/** Tests that `npm test` leaves out, since they need time or programs of their own. Each kind has a script: `npm run test:browser`. */
export default {
  ...run,
  projects: [
    // Chromium: CHROMIUM_PATH says where, if not in /usr/bin/chromium.
    tests('browser', '/test/browser/.*\\.(spec|e2e-spec)\\.ts$'),
    // The files of `deploy/nginx`, run by the program `nginx` in front of instances of the service.
    tests('gateway', '\\.nginx\\.e2e-spec\\.ts$'),
    // The program `redis-server`.
    tests('redis', '\\.redis\\.e2e-spec\\.ts$'),
    // Instances on the nodes of a cluster, which are started and shot at: `mariadbd` with Galera, and `rsync`.
    tests('cluster', '/test/cluster/.*\\.e2e-spec\\.ts$'),
    // Two versions of the service on one database of a server. The earlier one is built from the history of git.
    tests('rolling', '/test/rolling/.*\\.e2e-spec\\.ts$', {
      globalSetup: '<rootDir>/test/support/server-required.mjs',
    }),
    // Processes that are killed again and again, deadlines that pass, contents in large numbers.
    tests('slow', '\\.slow\\.e2e-spec\\.ts$'),
    // Tests that measure work, one file after the other.
    tests('timed', '\\.timed\\.(spec|e2e-spec)\\.ts$'),
  ],
};
