import { follow, type Media, type OpenApi, type Parameter, type Schema } from './open-api.ts';

/** So deep a schema is gone into; those that hold themselves end there. */
const DEPTH_MAX = 8;

/**
 * A value that a body of this media type may be: the document's own example where it has one, else one
 * that is made of its schema. `isRequest` leaves out what need not be sent.
 */
export function sampleOfMedia(document: OpenApi, media: Media, isRequest: boolean): unknown {
  if (media.example !== undefined) return media.example;
  const [named] = Object.values(media.examples ?? {});
  if (named?.value !== undefined) return named.value;
  return sampleOfSchema(document, media.schema ?? {}, isRequest);
}

/** A value for a parameter of a path, of a query or of a header. */
export function sampleOfParameter(document: OpenApi, parameter: Parameter): unknown {
  if (parameter.example !== undefined) return parameter.example;
  const [named] = Object.values(parameter.examples ?? {});
  return named?.value ?? sampleOfSchema(document, parameter.schema ?? {}, true);
}

/** A value that a schema takes, by its examples first, then by its type. */
export function sampleOfSchema(
  document: OpenApi,
  schema: Schema,
  isRequest: boolean,
  depth = 0,
): unknown {
  const known = follow<Schema>(document, schema);
  const given = givenBy(known);
  if (given !== undefined) return given;
  if (depth > DEPTH_MAX) return null;
  const inner = (one: Schema) => sampleOfSchema(document, one, isRequest, depth + 1);
  const variants = known.anyOf ?? known.oneOf;
  if (variants !== undefined) {
    const texts = variants.find(({ type }) => type === 'string');
    const first = texts ?? variants.find(({ type }) => type !== 'null');
    return first === undefined ? null : inner(first);
  }
  const properties = propertiesOf(document, known);
  if (known.type === 'object' || Object.keys(properties).length > 0) {
    const wanted = isRequest ? requiredOf(document, known) : new Set(Object.keys(properties));
    const shown = Object.entries(properties).filter(([name]) => wanted.has(name));
    return Object.fromEntries(shown.map(([name, property]) => [name, inner(property)]));
  }
  if (known.type === 'array') return known.items === undefined ? [] : [inner(known.items)];
  return sampleOfType(known);
}

const givenBy = (schema: Schema): unknown =>
  [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]].find(
    (value) => value !== undefined,
  );

function sampleOfType({ type, format, minimum }: Schema): unknown {
  const first = Array.isArray(type) ? (type as readonly string[])[0] : type;
  if (first === 'integer' || first === 'number') return minimum ?? 1;
  if (first === 'boolean') return true;
  if (first === 'null') return null;
  if (format === 'date-time') return '2026-09-29T12:00:00.000Z';
  return 'text';
}

/** The properties of an object, those of its parts included. */
export function propertiesOf(document: OpenApi, schema: Schema): Readonly<Record<string, Schema>> {
  const parts = (schema.allOf ?? []).map((part) => follow<Schema>(document, part));
  return Object.fromEntries(
    [...parts, schema].flatMap(({ properties }) => Object.entries(properties ?? {})),
  );
}

/** The properties that an object always has. */
export function requiredOf(document: OpenApi, schema: Schema): ReadonlySet<string> {
  const parts = (schema.allOf ?? []).map((part) => follow<Schema>(document, part));
  return new Set([schema, ...parts].flatMap((part) => part.required ?? []));
}

/** The properties that an object must have in some cases: the document says by others which. */
export function requiredAtTimes(document: OpenApi, schema: Schema): ReadonlySet<string> {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => follow<Schema>(document, part))];
  const cases = parts.flatMap((part) => [part.then, part.else].filter((one) => one !== undefined));
  return new Set(cases.flatMap((one) => one.required ?? []));
}
