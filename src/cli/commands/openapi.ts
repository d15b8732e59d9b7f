import { OpenApiDocument } from '../../docs/openapi-document.js';
import type { Command } from '../command.js';

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document of the service with its content types.',
  async run(_, invocation) {
    const { json } = await (await invocation.get(OpenApiDocument)).current();
    const document: unknown = JSON.parse(json.toString());
    return { json: document, text: JSON.stringify(document, null, 2) };
  },
};
