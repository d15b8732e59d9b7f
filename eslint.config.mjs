import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noForwardRef = {
  selector: "CallExpression[callee.name='forwardRef']",
  message: 'A cycle. Use a port, an event or a foreign key (docs/architecture.md).',
};
const noTypeOnlyDto = ['ImportDeclaration[importKind="type"]', 'ImportSpecifier[importKind="type"]'].map((node) => ({
  selector: node.startsWith('ImportS')
    ? `ImportDeclaration[source.value=/\\.dto\\.js$/] > ${node}`
    : `${node}[source.value=/\\.dto\\.js$/]`,
  message: 'A type-only import erases the class, and ValidationPipe lets every body through.',
}));

export default defineConfig(
  { ignores: ['dist', 'coverage', 'data', 'bench/.data', '**/*.mjs', 'src/docs/assets', 'test/clients/programs'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
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
      'no-restricted-syntax': ['error', noForwardRef],
    },
  },
  { files: ['src/**/*.controller.ts'], rules: { 'no-restricted-syntax': ['error', noForwardRef, ...noTypeOnlyDto] } },
  { files: ['src/config/**', 'test/**', 'bench/**', '**/*.spec.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**', 'bench/**'],
    rules: {
      'max-lines-per-function': 'off',
      // Bodies of answers are of no known type until a test says what it expects of them.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
