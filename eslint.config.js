import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const SOURCES = [
  ...['src/**/*.ts', 'src/**/*.tsx', 'workflows/**/*.ts', 'activities/**/*.ts'],
  ...['test/**/*.ts', 'test/**/*.tsx'],
];
const TESTS = ['test/**/*.ts', 'test/**/*.tsx', '*.config.ts'];

const CLOCK = 'Time comes from a Clock that is passed in (src/domain/clock.ts).';
const FLOAT = 'Money never touches a binary float: bigint minor units or decimal text.';

const noHiddenInputs = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: CLOCK,
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: CLOCK },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Pure rules and workflows decide the same way twice: pass randomness in.',
  },
];

const noFloats = [
  { selector: "CallExpression[callee.name='parseFloat']", message: FLOAT },
  { selector: "CallExpression[callee.property.name='parseFloat']", message: FLOAT },
  // On a number it rounds binary fractions; big.js rounds decimals through toFixed only in src/domain/payments/fx.
  { selector: "CallExpression[callee.property.name='toFixed']", message: FLOAT },
];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.dev/', 'docs/', 'src/api/client/generated/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: [...SOURCES, '*.config.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: ['error', 'always'],
      'no-cond-assign': 'error',
      'no-constant-binary-expression': 'error',
      'no-control-regex': 'error',
      'no-debugger': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-fallthrough': 'error',
      'no-loss-of-precision': 'error',
      'no-prototype-builtins': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-unreachable-loop': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/server/config reads the environment.',
        },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports' },
      ],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: false },
      ],
      // T[] and Array<T> are equally plain; a long element type reads better in the second.
      '@typescript-eslint/array-type': 'off',
      // An empty string is as absent as a missing one in names, variables and answers of others.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true, boolean: true } },
      ],
      // Factories return plain functions: there is no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // Brackets mark a field that a foreign document names.
      '@typescript-eslint/dot-notation': 'off',
      // An arrow that passes a void call on is the shortest way to say what it does.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Codes of gRPC and PostgreSQL arrive as plain numbers; their enums only name them.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Fastify handlers and activities keep one async signature whether they wait or not.
      '@typescript-eslint/require-await': 'off',
      // Store functions name the row type that only the caller knows.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Empty listeners and stubs say by their emptiness that nothing is to be done.
      '@typescript-eslint/no-empty-function': 'off',
      // Both forms are used on purpose: a type for unions and rows, an interface for contracts.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // A flag that a signal or another callback sets looks constant to it: only pure code has none.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/only-throw-error': [
        'error',
        { allowThrowingAny: false, allowThrowingUnknown: true },
      ],
    },
  },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
    },
  },
  {
    files: ['src/domain/**/*.ts', 'workflows/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noHiddenInputs] },
  },
  {
    files: ['src/modules/ledger/**/*.ts', 'src/modules/payments/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noFloats] },
  },
  {
    files: ['src/domain/money/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...noHiddenInputs, ...noFloats] },
  },
  {
    files: [
      'src/server/config/**/*.ts',
      'src/server/processes/*.ts',
      'src/cli/*.ts',
      'src/cli/generators/*.ts',
      'src/cli/dev/programs/*.ts',
      ...TESTS,
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: TESTS,
    rules: {
      // A test reads foreign JSON and stubs half-built objects; what it proves is its assertions.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
