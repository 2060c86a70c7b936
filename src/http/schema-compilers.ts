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

// One factory for all apps of the process: it keeps what it compiled, by schema object.
const validatorFactory = createValidatorFactory();
const serializerFactory = createSerializerFactory();
const serializers = new WeakMap<object, createSerializerFactory.Serializer>();

const buildValidator: BuildValidator = (externalSchemas, options) => {
  const compile = validatorFactory(externalSchemas, options) as (definition: never) => Validate;
  const compileLater = (definition: never): Validate => {
    let compiled: Validate | null = null;
    // Fastify reads the errors from the function that it called.
    const validate: Validate = (data) => {
      compiled ??= compile(definition);
      const verdict = compiled(data);
      validate.errors = compiled.errors;
      return verdict;
    };
    return validate;
  };
  return compileLater as ReturnType<BuildValidator>;
};

const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = serializerFactory(externalSchemas, options);
  return (definition) => (data) => {
    const schema = definition.schema as object;
    const serialize = serializers.get(schema) ?? compile(definition);
    serializers.set(schema, serialize);
    return serialize(data);
  };
};

/**
 * Fastify's own compilers, which compile a schema when a request first needs it. To compile all schemas of the API
 * takes 250 ms of processor time at each start. test/http/schema-compilers.test.ts shows that all of them compile.
 */
export const LAZY_COMPILERS = { buildValidator, buildSerializer };
