/** Refuses a run of tests that only a server can answer. */
export default function requireServer() {
  if (!process.env.TEST_DATABASE_URL)
    throw new Error('These tests are for servers: name one in TEST_DATABASE_URL (mysql://root@127.0.0.1:3306).');
}
