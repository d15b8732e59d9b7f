import { apiNames } from './names.js';

const type = (id: number, name: string) => ({ id, name });

function recordNames(types: { id: number; name: string }[], taken: string[] = []): string[] {
  return [...apiNames(types, new Set(taken)).values()].map(({ record }) => record);
}

describe('Names of content types in the API description', () => {
  it('are the names of the types in one word', () => {
    expect(recordNames([type(1, 'post'), type(2, 'blog-post'), type(3, 'faq_2')])).toEqual([
      'Post',
      'BlogPost',
      'Faq2',
    ]);
  });

  it('stay with the older one of two types that would have the same', () => {
    expect(recordNames([type(9, 'a-b'), type(4, 'a_b'), type(12, 'ab')])).toEqual(['AB', 'ABRecord', 'Ab']);
  });

  it('leave alone what other features call their schemas and operations', () => {
    expect(recordNames([type(1, 'user'), type(2, 'token')], ['User', 'createToken'])).toEqual([
      'UserRecord',
      'TokenRecord',
    ]);
  });

  it('do not collide with what is derived from another type', () => {
    expect(recordNames([type(1, 'post'), type(2, 'post-create'), type(3, 'post-create-record')])).toEqual([
      'Post',
      'PostCreateRecord',
      'PostCreateRecordRecord',
    ]);
  });
});
