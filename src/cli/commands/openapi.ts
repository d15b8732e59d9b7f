import { OpenApiDocument } from '../../docs/openapi-document.js';
import type { Define, Outcome } from '../command.js';
import type { Invocation } from '../invocation.js';

export const openapiCommand: Define = (program, act) => {
  program
    .command('openapi')
    .description('Print the OpenAPI document of the service with its content types.')
    .action(act(print));
};

async function print(invocation: Invocation): Promise<Outcome> {
  const { json } = await (await invocation.get(OpenApiDocument)).current();
  const document: unknown = JSON.parse(json.toString());
  return { json: document, text: JSON.stringify(document, null, 2) };
}
