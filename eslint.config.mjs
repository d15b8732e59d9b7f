import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import plainWords from './scripts/plain-words.mjs';

const noForwardRef = {
  selector: "CallExpression[callee.name='forwardRef']",
  message: 'A cycle. Use a port, an event or a foreign key (docs/architecture.md).',
};
const noEnum = {
  selector: 'TSEnumDeclaration',
  message: 'A union of literals. What is assigned to enums is not checked.',
};
const everywhere = [noForwardRef, noEnum];
/** Only the definitions of kinds know them apart (docs/adr/0030-a-kind-of-field-is-one-object.md). */
const KINDS = 'string|text|markdown|html|integer|number|boolean|date|datetime|email|url|enum|json|list|relation';
const noKindByName = ['[left.property.name="type"]', '[left.name="type"]'].map((left) => ({
  selector: `BinaryExpression[operator=/^[!=]==$/]${left}[right.value=/^(${KINDS})$/]`,
  message: 'Ask the kind of the field: kindOf(field.type).',
}));
const noTypeOnlyDto = ['ImportDeclaration[importKind="type"]', 'ImportSpecifier[importKind="type"]'].map((node) => ({
  selector: node.startsWith('ImportS')
    ? `ImportDeclaration[source.value=/\\.dto\\.js$/] > ${node}`
    : `${node}[source.value=/\\.dto\\.js$/]`,
  message: 'A type-only import erases the class, and ValidationPipe lets every body through.',
}));
/** `src/users` reads credentials through `CredentialLookup`. */
const noTablesOfAuth = ['Literal[value=', 'TemplateElement[value.raw='].map((node) => ({
  selector: `${node}/\\b(api_tokens|auth_(challenges|counters|identities|sessions))\\b/]`,
  message: 'A table of auth. Ask a port that auth implements (docs/architecture.md).',
}));

/** Measurements run apart (`npm run test:timed`), since a busy machine makes them longer; no other test waits for time to pass. */
const timed = 'A measurement. Stop the clock (test/support/clock.ts), assert a count, or move the test to *.timed.*.';
const pause =
  'A pause. Wait for the fact itself in a loop (waitFor of test/support/mailbox.ts), or make it happen by a call.';
const noClocks = [
  ['MemberExpression[object.name="performance"][property.name="now"]', timed],
  ['CallExpression[callee.property.name="spyOn"][arguments.0.name="performance"]', 'Use test/support/clock.ts.'],
  ['MemberExpression[object.name="process"][property.name=/^(hrtime|cpuUsage|memoryUsage)$/]', timed],
  ['ImportDeclaration[source.value=/\\/cpu-time\\.js$/]', timed],
  ...['left', 'right'].map((side) => [
    `BinaryExpression[operator="-"][${side}.callee.object.name="Date"][${side}.callee.property.name="now"]`,
    'An elapsed time is a measurement: stop the clock. A moment in the past is ago() of test/support/clock.ts.',
  ]),
].map(([selector, message]) => ({ selector, message }));
const noPauses = [
  'CallExpression[callee.name="sleep"][arguments.0.value>100]',
  'CallExpression[callee.name="setTimeout"][arguments.1.value>100]',
].map((selector) => ({ selector, message: pause }));

/** Makes a block complete: if several blocks fit a file, only the last one counts. */
const refused = (...more) => ['error', ...everywhere, ...noKindByName, ...more];

export default defineConfig(
  { ignores: ['**/dist', 'coverage', 'data', 'bench/.data', 'src/docs/assets', 'test/clients/programs'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unsafe-enum-assignment': 'off', // noEnum leaves it nothing to find, and it takes a sixth of the time
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // DTOs and entities are shapes
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/max-params': ['error', { max: 5 }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      complexity: ['error', 8],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings through src/config.' },
      ],
      'no-restricted-syntax': refused(),
    },
  },
  {
    files: ['src/users/**'],
    rules: { 'no-restricted-syntax': refused(...noTablesOfAuth) },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: { 'no-restricted-syntax': refused(...noTypeOnlyDto) },
  },
  {
    files: ['src/users/**/*.controller.ts'],
    rules: { 'no-restricted-syntax': refused(...noTablesOfAuth, ...noTypeOnlyDto) },
  },
  { files: ['packages/client/**'], languageOptions: { parserOptions: { project: './packages/client/tsconfig.json' } } },
  {
    files: ['admin/**'],
    languageOptions: { parserOptions: { project: './admin/tsconfig.json' } },
    rules: {
      // A handler of an event may answer whatever it calls.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Redirects of the router are thrown.
      '@typescript-eslint/only-throw-error': 'off',
      // Kinds of fields are asked by their names: the console has an input for each.
      'no-restricted-syntax': ['error', ...everywhere],
    },
  },
  // A component is mostly markup, one line for each attribute.
  {
    files: ['admin/**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 10],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'admin/src/**/*.{ts,tsx}'],
    plugins: { local: { rules: { 'plain-words': plainWords } } },
    rules: { 'local/plain-words': 'error' },
  },
  // Programs of development, which are in no project of TypeScript.
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { project: false } },
    rules: { 'no-restricted-properties': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
  { files: ['src/config/**', 'test/**', 'bench/**', '**/*.spec.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**', 'bench/**'],
    rules: {
      'no-restricted-syntax': ['error', ...everywhere],
      'max-lines-per-function': 'off',
      // Bodies of answers are of no known type until a test says what it expects of them.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
    ignores: ['**/*.timed.*', '**/*.slow.*', 'test/cluster/**', 'test/rolling/**'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...noClocks, ...noPauses] },
  },
  {
    files: ['**/*.slow.e2e-spec.ts', 'test/cluster/**', 'test/rolling/**'],
    ignores: ['**/*.timed.*'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...noClocks] },
  },
);
