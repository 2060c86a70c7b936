import { resolve, type ApiDocument, type Schema } from './api-document.ts';

/** A value in a body, and what the document says of it. */
export interface Place {
  readonly steps: readonly (string | number)[];
  readonly schema: Schema;
  readonly value: unknown;
  /** Of a member of an object. */
  readonly isRequired: boolean;
}

/** Every value of a body that its schema describes, itself first. */
export function placesIn(
  document: ApiDocument,
  given: Schema,
  value: unknown,
  steps: readonly (string | number)[] = [],
  isRequired = true,
): Place[] {
  const schema = branchOf(document, given, value);
  const own: Place = { steps, schema, value, isRequired };
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, nth) =>
      placesIn(document, schema.items ?? {}, item, [...steps, nth]),
    );
    return [own, ...items];
  }
  if (typeof value !== 'object' || value === null) return [own];
  const members = Object.entries(value).flatMap(([name, member]) => {
    const property = schema.properties?.[name];
    const isNeeded = schema.required?.includes(name) ?? false;
    return property === undefined
      ? []
      : placesIn(document, property, member, [...steps, name], isNeeded);
  });
  return [own, ...members];
}

/** The alternative that a value is of. */
function branchOf(document: ApiDocument, given: Schema, value: unknown): Schema {
  const schema = resolve(document, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices === undefined || schema.properties !== undefined) return schema;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const fitting = choices.map((one) => resolve(document, one)).find(({ type }) => type === kind);
  return fitting ?? schema;
}

/** A copy with another value at a place; undefined takes the member away. */
export function withValue(
  value: unknown,
  steps: readonly (string | number)[],
  put: unknown,
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return put;
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, nth) => {
      if (nth !== step) return [item];
      const changed = withValue(item, rest, put);
      return changed === undefined ? [] : [changed];
    });
  }
  const object = value as Record<string, unknown>;
  const entries = Object.entries(object).flatMap(([name, member]) => {
    if (name !== step) return [[name, member] as const];
    const changed = withValue(member, rest, put);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  if (!Object.hasOwn(object, step) && rest.length === 0) entries.push([String(step), put]);
  return Object.fromEntries(entries);
}
