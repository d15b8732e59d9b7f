import config from './jest.config.mjs';

/** Instances on the nodes of a cluster, and on servers with replicas, which are started and shot at. Needs `mariadbd` with Galera, and `rsync`. */
export default { ...config, testRegex: '/test/cluster/.*\\.e2e-spec\\.ts$', testPathIgnorePatterns: [] };
