import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { validatorPackage } from '../../src/common/dto-rules.js';
import { ValidationError } from '../../src/common/errors/domain-error.js';
import { isEmail, isInstant } from '../../src/common/schema/formats.js';
import { validationPipe } from '../../src/common/validation.pipe.js';
import { bodyClassesOf, type BodyClass } from '../support/body-classes.js';
import type { ApiDocument } from '../support/contract.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Schema = OpenAPIV3_1.SchemaObject & { readonly properties: Readonly<Record<string, Schema>> };

/** Around every limit that a body of the service has. */
const LENGTHS = [1, 2, 11, 12, 13, 42, 43, 44, 99, 100, 101, 127, 128, 129, 254, 255, 256, 257];
/** A text that no list of passwords has. */
const text = (length: number): string => 'x7-Qk3_vR9'.repeat(26).slice(0, length);
const address = (length: number): string => {
  const domain = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(60)).join('.');
  return `${'u'.repeat(length - domain.length - 4)}@${domain}.eu`;
};
const scopes = (count: number): string[] => Array.from({ length: count }, (_, n) => `records:update:t${n}`);

const SAMPLES: readonly unknown[] = [
  ...[null, true, 1, {}, '', ' ', [], [1], ['records:read', 'records:read']],
  ...['token', 'cookie', 'local', 'others', 'all', 'admin', 'editor', 'personal', 'service', 'never'],
  ...[...LENGTHS.map(text), '12345', '123456', '1234567', '123 456', '12-34-56', 'a23456'],
  ...['ann@example.com', address(254), address(255), '2030-01-31T00:00:00Z', '2030-01-31'],
  ...[1, 2, 99, 100, 101, 300, 301].map(scopes),
];

/** What is no token of a link at all is refused as a wrong one is. */
const isText = (value: unknown): boolean => typeof value === 'string';
/** A field of a form that was left empty was not filled in. */
const isEmpty = (value: unknown): boolean => value === '';
/** What rules of bodies take, where the description promises less. */
const TAKEN_BESIDES: Readonly<Record<string, (value: unknown) => boolean>> = {
  'AcceptDto.token': isText,
  'VerifyLinkDto.token': isText,
  'ResetPasswordDto.token': isText,
  'LockDownDto.token': isText,
  'AcceptDto.name': isEmpty,
  'AcceptDto.password': isEmpty,
  // The flow checks it, as that of the query of a redirect.
  'LinkDto.code_challenge': isText,
};

describe('The description of a body', () => {
  const ajv = new Ajv2020({ strict: false, formats: { email: isEmail, 'date-time': isInstant } });
  let service: TestApp;
  let document: ApiDocument;
  let classes: readonly BodyClass[];

  const schemaOf = (operation: string): Schema => {
    const [method = '', path = ''] = operation.replace('{type}', 'post').split(' ');
    const body = document.paths[path]?.[method.toLowerCase() as 'post']?.requestBody as OpenAPIV3_1.RequestBodyObject;
    const { $ref } = body.content['application/json']?.schema as OpenAPIV3_1.ReferenceObject;
    return document.components?.schemas?.[$ref.replace('#/components/schemas/', '')] as Schema;
  };

  const refused = async ({ body }: BodyClass, value: object): Promise<readonly string[]> => {
    try {
      await validationPipe.transform(value, { type: 'body', metatype: body, data: undefined });
      return [];
    } catch (error) {
      if (error instanceof ValidationError) return error.faults.map(({ field }) => field);
      throw error;
    }
  };

  const fieldsOf = ({ body }: BodyClass): string[] =>
    validatorPackage
      .getMetadataStorage()
      .getTargetValidationMetadatas(body, '', false, false)
      .map(({ propertyName }) => propertyName);

  /** Sentences on values of a field that its rules take and its description does not, or the other way round. */
  const differencesOf = async (one: BodyClass, name: string, schema: Schema): Promise<string[]> => {
    const field = `${one.body.name}.${name}`;
    const fits = ajv.compile(schema);
    const differences: string[] = [];
    for (const value of SAMPLES) {
      const isTaken = !(await refused(one, { [name]: value })).includes(name);
      const isExpected = isTaken === fits(value) || (isTaken && TAKEN_BESIDES[field]?.(value));
      if (!isExpected) differences.push(`${field} ${isTaken ? 'takes' : 'refuses'} ${JSON.stringify(value)}`);
    }
    return differences;
  };

  beforeAll(async () => {
    service = await startTestApp({ GOOGLE_CLIENT_ID: 'contract', GOOGLE_CLIENT_SECRET: 'contract' });
    document = (await service.anonymous().get('/api/openapi.json')).body as ApiDocument;
    classes = bodyClassesOf(service.app);
  });

  afterAll(() => service.close());

  it('names the fields that its rules know, and those without which it is refused', async () => {
    expect(classes.length).toBeGreaterThan(20);
    for (const one of classes) {
      const { properties, required = [] } = schemaOf(one.operation);

      expect([one.operation, new Set(await refused(one, {}))]).toEqual([one.operation, new Set(required)]);
      expect(await refused(one, { stranger: 1 })).toContain('stranger');
      expect(new Set(fieldsOf(one))).toEqual(new Set(Object.keys(properties)));
    }
  });

  it('says of every value what its rules say of it', async () => {
    const fields = classes.flatMap((one) =>
      Object.entries(schemaOf(one.operation).properties).map(([name, schema]) => ({ one, name, schema })),
    );

    const differences = await Promise.all(fields.map(({ one, name, schema }) => differencesOf(one, name, schema)));

    expect(differences.flat()).toEqual([]);
  });
});
