import { itWorksOnOneDemo } from '../support/documented-walk.js';

/** The folder of a demo with the settings of a production, which the first page makes: beside the demo, on a database of its own. */
describe('The pages on operating the service, in the order of reading', () => {
  const pages = ['install', 'upgrade', 'backup', 'observe'];

  itWorksOnOneDemo(pages.map((page) => `docs/operate/${page}.md`));
});
