import { buildApp } from '../../../src/api/app.ts';
import { documentDeps } from '../../../src/api/openapi/document-deps.ts';
import { renderOpenApi } from '../../../src/api/openapi/openapi.ts';
import { inlineParts } from './inline-parts.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly 'x-required-scope'?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One operation of the OpenAPI document, as a test can call it. */
export interface Operation {
  /** "PATCH /api/v1/end-users/{endUserId}" */
  readonly name: string;
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly pathIds: readonly string[];
  /** Names of parameters and top-level fields that end in Id, the caller's own externalId aside. */
  readonly queryIds: readonly string[];
  readonly bodyIds: readonly string[];
  readonly headers: readonly string[];
  readonly isPublic: boolean;
  readonly requiredScope: string | undefined;
  /** A body that fits its schema, made of the document's examples; undefined where it takes none. */
  readonly sampleBody: object | undefined;
}

const OURS = /^(?!external).*Id$/;

/** Every operation of the document as the routes make it, so that a new route is among them. */
export async function documentedOperations(): Promise<Operation[]> {
  const app = buildApp(documentDeps());
  await app.ready();
  const document = inlineParts(JSON.parse(renderOpenApi(app)) as Document);
  await app.close();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(document, path, method, operation)),
  );
}

function read(
  document: Document,
  path: string,
  method: string,
  operation: DocumentedOperation,
): Operation {
  const named = (where: string) =>
    (operation.parameters ?? []).filter((one) => one.in === where).map(({ name }) => name);
  const schema = operation.requestBody?.content['application/json']?.schema;
  const resolved = schema === undefined ? undefined : resolve(document, schema);
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Method,
    path,
    pathIds: named('path').filter((name) => OURS.test(name)),
    queryIds: named('query').filter((name) => OURS.test(name)),
    bodyIds: Object.keys(resolved?.properties ?? {}).filter((name) => OURS.test(name)),
    headers: named('header'),
    isPublic: operation.security?.length === 0,
    requiredScope: operation['x-required-scope'],
    sampleBody: schema === undefined ? undefined : (sample(document, schema) as object),
  };
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name === undefined) return schema;
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`there is no schema ${name}`);
  return found;
}

/** The example of a schema, or the least that fits it. */
function sample(document: Document, given: Schema): unknown {
  const schema = resolve(document, given);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return sample(document, choice);
  if (schema.type === 'object') {
    const properties = schema.properties ?? {};
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sample(document, properties[name] ?? {})]),
    );
  }
  if (schema.type === 'array') {
    const count = schema.minItems ?? 0;
    return Array.from({ length: count }, () => sample(document, schema.items ?? {}));
  }
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return schema.type === 'null' ? null : 'sample';
}
