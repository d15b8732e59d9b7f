/** Refuses a run of tests that only a server can answer. */
export default function requireServer() {
  if (!process.env.TEST_DATABASE_URL)
    throw new Error('SEARCH_INDEX=local is for servers: name one in TEST_DATABASE_URL.');
}
