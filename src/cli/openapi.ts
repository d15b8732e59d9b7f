import { OpenApiDocument } from '../docs/openapi-document.js';
import type { Command } from './command.js';

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document of the service with its content types.',
  async run(_, invocation) {
    const document = await (await invocation.get(OpenApiDocument)).current();
    return { json: document, text: JSON.stringify(document, null, 2) };
  },
};
