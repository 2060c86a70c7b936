/** What of JSON Schema the document uses and the fuzzer reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface DocumentedAnswer {
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly unknown[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

/** An OpenAPI 3.1 document as an installation serves it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation, as it can be called. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly isPublic: boolean;
  readonly body: {
    readonly isRequired: boolean;
    readonly contentTypes: readonly string[];
    readonly schema: Schema;
    readonly examples: readonly unknown[];
  } | null;
  readonly answers: Readonly<Record<string, DocumentedAnswer>>;
}

/** Every operation of a document, in its order. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const { requestBody, parameters = [], responses } = operation;
      const [media] = Object.values(requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        ...{ path, parameters },
        isPublic: operation.security?.length === 0,
        body:
          requestBody === undefined
            ? null
            : {
                isRequired: requestBody.required ?? false,
                contentTypes: Object.keys(requestBody.content),
                schema: media?.schema ?? {},
                examples: examplesOf(media),
              },
        answers: responses,
      };
    }),
  );
}

function examplesOf(media: Media | undefined): unknown[] {
  const named = Object.values(media?.examples ?? {}).map(({ value }) => value);
  const own = media?.example === undefined ? [] : [media.example];
  return [...own, ...named].filter((example) => example !== undefined);
}

const COMPONENT = '#/components/schemas/';

/** The name of the schema that is referred to; null of one that stands there in full. */
export const nameOf = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(COMPONENT) === true ? $ref.slice(COMPONENT.length) : null;

/** What a schema refers to with what stands beside it, else itself. Throws where there is no such component. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = nameOf(schema);
  if (name === null) return schema;
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`the document has no schema ${name}`);
  const { $ref: _, ...beside } = schema;
  return resolve(document, { ...found, ...beside });
}

export const namesIn = (operation: Operation, where: string): string[] =>
  operation.parameters.filter((one) => one.in === where).map(({ name }) => name);

/** A path up to a parameter that ends it, and the parameter; null where it ends otherwise. */
export function collectionOf(path: string): { collection: string; parameter: string } | null {
  const [, collection, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  return collection === undefined || parameter === undefined ? null : { collection, parameter };
}
