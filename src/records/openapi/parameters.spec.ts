import type { CompiledType } from '../../content-types/definition/content-type.js';
import { typeNames } from '../../common/openapi/type-names.js';
import { typeParameters } from './parameters.js';

describe('The parameter `expand` of a type', () => {
  const names = typeNames([{ id: 1, name: 'post' }], []).get('post');
  const expandOf = (relations: number): unknown => {
    const fields = Array.from({ length: relations }, (_, n) => ({ name: `to_${n}`, type: 'relation', to: ['post'] }));
    const type = { id: 1, name: 'post', fields, fieldsByName: new Map(), taxonomies: [] } as unknown as CompiledType;
    if (!names) throw new Error('A type has names.');
    return typeParameters(type, names, new Map([['post', fields]])).PostExpand?.schema;
  };

  it('names relations and those of what they lead to', () => {
    expect(expandOf(2)).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['to_0', 'to_0.to_0', 'to_0.to_1', 'to_1', 'to_1.to_0', 'to_1.to_1'] },
    });
  });

  it('names none of more than a thousand', () => {
    expect(expandOf(200)).toEqual({ type: 'array', items: { type: 'string' } });
  });
});
