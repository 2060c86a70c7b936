import { describeLimits, describeType, listValues } from './describe-type.ts';
import { follow, nameOfReference, type OpenApi, type Schema } from './open-api.ts';
import { propertiesOf, requiredAtTimes, requiredOf } from './sample-value.ts';

/** One field of a body, as a reader sees it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** Whether it is always there, in some cases, or need not be. */
  readonly presence: 'required' | 'at times' | 'optional';
  readonly limits: readonly string[];
  /** The values that it may have, as JSON. */
  readonly values: readonly string[];
  /** Markdown. */
  readonly description: string;
  /** What is in it; one group a variant, a single one where there are none. */
  readonly groups: readonly FieldGroup[];
}

/** The fields of an object, or of one of the objects that may stand in one place. */
export interface FieldGroup {
  /** What tells the variant from the others; empty for the only one. */
  readonly title: string;
  readonly fields: readonly Field[];
}

const DEPTH_MAX = 6;

/** The fields of what a schema describes: of an object its own, of an array those of its entries. */
export function fieldGroups(
  document: OpenApi,
  schema: Schema,
  inside: readonly string[] = [],
): readonly FieldGroup[] {
  const name = nameOfReference(schema);
  // A schema that holds itself is told once.
  if (inside.length > DEPTH_MAX || (name !== undefined && inside.includes(name))) return [];
  const way = [...inside, name ?? ''];
  const known = follow<Schema>(document, schema);
  if (known.items !== undefined) return fieldGroups(document, known.items, way);
  const variants = known.anyOf ?? known.oneOf;
  if (variants !== undefined) {
    const groups = variants.flatMap((one) =>
      fieldGroups(document, one, way).map((group) => ({
        title: group.title || titleOf(document, one),
        fields: group.fields,
      })),
    );
    return groups.length === 1 ? groups.map(({ fields }) => ({ title: '', fields })) : groups;
  }
  const fields = fieldsOf(document, known, way);
  return fields.length === 0 ? [] : [{ title: '', fields }];
}

const titleOf = (document: OpenApi, schema: Schema): string =>
  nameOfReference(schema) ?? follow<Schema>(document, schema).title ?? 'Object';

function fieldsOf(document: OpenApi, schema: Schema, way: readonly string[]): readonly Field[] {
  const always = requiredOf(document, schema);
  const atTimes = requiredAtTimes(document, schema);
  const presenceOf = (name: string): Field['presence'] => {
    if (always.has(name)) return 'required';
    return atTimes.has(name) ? 'at times' : 'optional';
  };
  const rank = { required: 0, 'at times': 1, optional: 2 };
  return Object.entries(propertiesOf(document, schema))
    .map(([name, property]) => fieldOf(document, name, property, presenceOf(name), way))
    .sort((one, other) => rank[one.presence] - rank[other.presence]);
}

/** A field by its name and schema; also of a parameter, which is a field of a request. */
export function fieldOf(
  document: OpenApi,
  name: string,
  schema: Schema,
  presence: Field['presence'],
  way: readonly string[] = [],
): Field {
  const known = follow<Schema>(document, schema);
  return {
    name,
    presence,
    type: describeType(document, schema),
    limits: describeLimits(document, schema),
    values: [...new Set(listValues(document, schema))],
    description: schema.description ?? known.description ?? '',
    groups: fieldGroups(document, schema, way),
  };
}
