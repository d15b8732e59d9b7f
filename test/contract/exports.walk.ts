import type { Conversation } from './conversation.js';
import { WRITER } from './records.walk.js';

/** Every answer that the export of a type can give. */
export async function goThroughExports(talk: Conversation, type: string): Promise<void> {
  const path = `/api/cms/${type}/-/export`;
  await talk.expectStatus(200, `GET ${path}`);
  await talk.expectStatus(200, `GET ${path}?format=csv&status=published,draft`);
  await talk.expectStatus(400, `GET ${path}?format=pdf`);
  await talk.expectStatus(403, `GET ${path}`, { token: WRITER });
}
