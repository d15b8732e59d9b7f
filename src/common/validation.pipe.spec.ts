import { ArrayMaxSize, ArrayUnique, IsString, MaxLength, ValidateIf } from './dto-rules.js';
import { ValidationError, type Fault } from './errors/domain-error.js';
import { validationPipe } from './validation.pipe.js';

const IF_SENT = ValidateIf((_, value) => value !== undefined);

class NamesDto {
  @IF_SENT
  @ArrayMaxSize(3)
  @IsString({ each: true })
  @ArrayUnique()
  names?: string[];

  @IF_SENT
  @IsString()
  note?: string;
}

class TokenDto {
  @IsString()
  @MaxLength(3)
  token!: string;
}

async function faultsOf(body: object, metatype: new () => object = NamesDto): Promise<string[][]> {
  const refused: unknown = await validationPipe
    .transform(body, { type: 'body', metatype })
    .catch((error: unknown) => error);
  if (!(refused instanceof ValidationError)) return [];
  return ((refused.details ?? []) as readonly Fault[]).map(({ field, rule }) => [field, rule]);
}

describe('The pipe of bodies', () => {
  it('takes lists up to their limit, and each item once', async () => {
    expect(await faultsOf({ names: ['a', 'b', 'c'] })).toEqual([]);
    expect(await faultsOf({ names: ['a', 'b', 'a'] })).toEqual([['names', 'array_unique']]);
    expect(await faultsOf({ names: 'a' })).toContainEqual(['names', 'array_max_size']);
  });

  it('holds no rule of items against a list that is too long', async () => {
    expect(await faultsOf({ names: [1, 1, 1, 1], note: 'x' })).toEqual([['names', 'array_max_size']]);
  });

  it('says of a value that is not there that it is required, and no more', async () => {
    expect(await faultsOf({}, TokenDto)).toEqual([['token', 'required']]);
    expect(await faultsOf({ token: 'four' }, TokenDto)).toEqual([['token', 'max_length']]);
  });

  it('looks at no more than 1,000 values of a field, however they are nested', async () => {
    const object = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

    expect(await faultsOf({ note: object(999) })).toEqual([['note', 'string']]);
    expect(await faultsOf({ note: object(1_000) })).toEqual([['note', 'values']]);
    expect(await faultsOf({ names: [object(500), [object(498)]] })).toEqual([['names', 'values']]);
  });
});
