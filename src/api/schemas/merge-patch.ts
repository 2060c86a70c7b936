import { Type, type Static, type TObject, type TUnsafe } from 'typebox';
import type { MergePatch } from '../../domain/merge-patch.ts';

/** As much of JSON Schema as a patchable resource uses. */
interface Schema {
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: unknown;
  readonly additionalProperties?: unknown;
}

/**
 * The schema of a merge patch (RFC 7396) of a resource: every member may be left out, null is taken
 * where a member may be missing, objects stay closed, arrays are whole. What counts members (`minItems`
 * aside) is for the result to judge, not for the patch. `title` becomes `<title>Patch`.
 */
export function mergePatchOf<Resource extends TObject>(
  resource: Resource,
  description: string,
): TUnsafe<MergePatch<Static<Resource>>> {
  const { examples: _examples, ...patch } = patchOf(resource);
  return Type.Unsafe<MergePatch<Static<Resource>>>({ ...patch, description });
}

function patchOf(schema: Schema): Schema {
  if (schema.type !== 'object') return schema;
  const { title, properties, patternProperties, description } = schema;
  const { propertyNames, additionalProperties } = schema;
  const required = new Set(schema.required);
  return {
    type: 'object',
    ...(title !== undefined && { title: `${title}Patch` }),
    ...(description !== undefined && { description }),
    ...(properties !== undefined && {
      properties: mapValues(properties, (member, name) =>
        required.has(name) ? patchOf(member) : clearable(patchOf(member)),
      ),
    }),
    ...(patternProperties !== undefined && {
      patternProperties: mapValues(patternProperties, (member) => clearable(patchOf(member))),
    }),
    ...(propertyNames !== undefined && { propertyNames }),
    additionalProperties,
  };
}

function clearable(schema: Schema): Schema {
  const { description, ...rest } = schema;
  const cleared = { type: 'null', description: 'Clears the field.' };
  return { ...(description !== undefined && { description }), anyOf: [rest, cleared] } as Schema;
}

function mapValues(
  members: Readonly<Record<string, Schema>>,
  change: (member: Schema, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, change(member, name)]),
  );
}
