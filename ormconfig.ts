import { readSettings } from './src/config/settings.js';
import { dataSource } from './src/database/data-source.js';
import { dialectFor } from './src/database/dialect/dialect-for.js';

/** The data source for the TypeORM command line: `npm run typeorm -- migration:show`. */
export default dataSource(dialectFor(readSettings('development').database).writerOptions());
