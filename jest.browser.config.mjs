import config from './jest.config.mjs';

/** What only a real browser can show. It needs Chromium: CHROMIUM_PATH says where, if not in /usr/bin/chromium. */
export default {
  ...config,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: [],
};
