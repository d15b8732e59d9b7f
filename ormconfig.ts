// Has all features register their tables.
import './src/app/app.module.js';
import { readDatabase } from './src/config/settings.js';
import { dataSource } from './src/database/dialect/data-source.js';
import { dialectFor } from './src/database/dialect-for.js';

const options = dialectFor(readDatabase()).writerOptions();

/** The data source for the TypeORM command line: `npm run typeorm -- migration:show`. It tells what it does; the service keeps TypeORM quiet. */
export default dataSource({ ...options, logger: 'simple-console', logging: ['schema', 'migration', 'error'] });
