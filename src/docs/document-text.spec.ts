import type { OpenApiFragment } from '../common/openapi/openapi.registry.js';
import { DocumentText, type DocumentHead } from './document-text.js';

const HEAD: DocumentHead = { openapi: '3.1.0', info: { title: 'Content API', version: '1.0.0' }, tags: [] };

const ref = (key: string) => ({ $ref: `#/components/${key}` });

/** A list of things of one kind; its schema leads to another one, and back. */
const fragmentOf = (name: string): OpenApiFragment => ({
  tags: [{ name }],
  paths: {
    [`/${name}`]: {
      get: {
        security: [],
        responses: { 200: { description: '', content: { 'application/json': { schema: ref(`schemas/${name}`) } } } },
      },
    },
  },
  schemas: {
    [name]: { type: 'object', properties: { base: ref(`schemas/${name}Base`) } },
    [`${name}Base`]: { type: 'object', properties: { self: ref(`schemas/${name}`) } },
    [`${name}Noise`]: { type: 'object', properties: { self: ref(`schemas/${name}Noise`) } },
  },
});

const documentOf = (text: DocumentText) => JSON.parse([...text.parts()].join(''));

describe('The text of an OpenAPI document', () => {
  it('has all that was added, in order, and no component that nothing leads to', () => {
    const text = new DocumentText(HEAD);
    text.addComponents('securitySchemes', { bearer: { type: 'http', scheme: 'bearer' } });
    text.add([fragmentOf('Zebra')]);
    text.add([fragmentOf('Ant')]);

    const { paths, components, tags } = documentOf(text);

    expect(Object.keys(paths)).toEqual(['/Zebra', '/Ant']);
    expect(tags).toEqual([{ name: 'Zebra' }, { name: 'Ant' }]);
    expect(Object.keys(components.schemas)).toEqual(['Zebra', 'ZebraBase', 'Ant', 'AntBase']);
    expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
    expect(components.headers).toEqual({});
  });

  it('takes nothing for a reference that only looks like one', () => {
    const text = new DocumentText(HEAD);
    const description = `Not meant: ${JSON.stringify(ref('schemas/Noise'))}`;
    text.addComponents('schemas', { Noise: { type: 'object' } });
    text.add([{ paths: { '/': { get: { security: [], description, responses: {} } } } }]);

    const { paths, components } = documentOf(text);

    expect(paths['/'].get.description).toBe(description);
    expect(components.schemas).toEqual({});
  });

  it('has both methods of a path that two features share', () => {
    const text = new DocumentText(HEAD);
    const operation = { security: [], responses: {} };
    text.add([{ paths: { '/': { get: operation } } }, { paths: { '/': { post: operation } } }]);

    expect(Object.keys(documentOf(text).paths['/'])).toEqual(['get', 'post']);
  });

  it.each([
    ['a schema', { paths: {}, schemas: { Post: { type: 'string' } } }],
    ['a parameter', { paths: {}, parameters: { Sort: { name: 'sort', in: 'query' } } }],
    ['a path', { paths: { '/': {} } }],
  ] satisfies [string, OpenApiFragment][])('refuses %s of a name that is taken', (_, fragment) => {
    const text = new DocumentText(HEAD);
    text.add([fragment]);

    expect(() => {
      text.add([fragment]);
    }).toThrow(/^Two parts of the API description are called /);
  });
});
