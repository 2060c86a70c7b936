import createValidatorFactory from '@fastify/ajv-compiler';
import createSerializerFactory from '@fastify/fast-json-stringify-compiler';

type BuildValidator = createValidatorFactory.BuildCompilerFromPool;
type BuildSerializer = createSerializerFactory.SerializerFactory;

/** How the schemas of the API are read: nothing that a caller sent is changed, and all problems are named. */
export const AJV_OPTIONS = {
  allErrors: true,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  verbose: true,
  keywords: ['x-error'],
};

interface Validate {
  (data: unknown): unknown;
  errors?: object[] | null;
}

// One factory for all apps of the process, and one function for all schemas that read the same: the answers of the
// API share most of their errors, and each app makes its schemas anew.
const validatorFactory = createValidatorFactory();
const serializerFactory = createSerializerFactory();
const validators = new Map<string, Validate>();
const serializers = new Map<string, createSerializerFactory.Serializer>();
const texts = new WeakMap<object, string>();

function textOf(schema: object): string {
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}

/** What is kept under the key, which `make` makes where nothing is. */
function keep<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const value = kept.get(key) ?? make();
  kept.set(key, value);
  return value;
}

const buildValidator: BuildValidator = (externalSchemas, options) => {
  const compile = validatorFactory(externalSchemas, options) as (definition: never) => Validate;
  const shared = JSON.stringify([externalSchemas, options]);
  const compileLater = (definition: { readonly schema: object }): Validate => {
    let compiled: Validate | null = null;
    // Fastify reads the errors from the function that it called.
    const validate: Validate = (data) => {
      compiled ??= keep(validators, shared + textOf(definition.schema), () =>
        compile(definition as never),
      );
      const verdict = compiled(data);
      validate.errors = compiled.errors;
      return verdict;
    };
    return validate;
  };
  return compileLater as unknown as ReturnType<BuildValidator>;
};

const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = serializerFactory(externalSchemas, options);
  const shared = JSON.stringify([externalSchemas, options]);
  return (definition) => {
    let serialize: createSerializerFactory.Serializer | null = null;
    return (data) => {
      const text = () => shared + textOf(definition.schema as object);
      serialize ??= keep(serializers, text(), () => compile(definition));
      return serialize(data);
    };
  };
};

/**
 * Fastify's own compilers, which compile a schema when a request first needs it. To compile all schemas of the API
 * takes 250 ms of processor time at each start. test/integration/api/schema-compilers.test.ts shows that all of them compile.
 */
export const LAZY_COMPILERS = { buildValidator, buildSerializer };
