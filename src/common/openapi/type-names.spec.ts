import { typeNames } from './type-names.js';

const type = (id: number, name: string) => ({ id, name });

function recordNames(types: { id: number; name: string }[], taken: string[] = []): string[] {
  return [...typeNames(types, taken).values()].map(({ record }) => record);
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
    expect(recordNames([type(9, 'a-b'), type(4, 'a_b')])).toEqual(['AB', 'ABRecord']);
  });

  it('differ by more than upper and lower case, which files of some systems do not', () => {
    expect(recordNames([type(4, 'a_b'), type(12, 'ab')])).toEqual(['AB', 'AbRecord']);
  });

  it('leave alone what the service calls its own schemas and operations', () => {
    expect(recordNames([type(1, 'user'), type(2, 'token')], ['User', 'createToken'])).toEqual([
      'UserRecord',
      'TokenRecord',
    ]);
  });

  it('leave alone what languages have names for', () => {
    expect(recordNames([type(1, 'array'), type(2, 'record'), type(3, 'promise')])).toEqual([
      'ArrayRecord',
      'RecordRecord',
      'PromiseRecord',
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
