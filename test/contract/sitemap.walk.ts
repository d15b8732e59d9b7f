import type { Conversation } from './conversation.js';

const NO_TOKEN = { token: null };

/** Every answer that the routes for search engines can give. */
export async function goThroughSitemap(talk: Conversation): Promise<void> {
  await talk.expectStatus(201, 'POST /api/cms/post', { body: { title: 'In the sitemap', status: 'published' } });
  for (const path of ['/sitemap.xml', '/sitemap-1.xml', '/robots.txt']) {
    await talk.expectStatus(200, `GET ${path}`, NO_TOKEN);
  }
  for (const path of ['/sitemap.xml', '/sitemap-1.xml']) await talk.unchanged(`GET ${path}`, NO_TOKEN);
  await talk.expectStatus(404, 'GET /sitemap-99999.xml', NO_TOKEN);
}
