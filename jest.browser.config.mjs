import config from './jest.config.mjs';

/** Tests that need a real browser. It needs Chromium: CHROMIUM_PATH says where, if not in /usr/bin/chromium. */
export default {
  ...config,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: [],
};
