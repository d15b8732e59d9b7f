import { DATABASE_URL } from './support/options.js';
import { seededPosts } from './support/posts.js';

const { first, last } = await seededPosts();
process.stdout.write(`${DATABASE_URL}: posts ${first} to ${last}\n`);
