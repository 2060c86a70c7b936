/** As much of a JSON Schema (2020-12) of the API's document as types are made of. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema & { readonly format?: string };
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Answer {
  readonly content?: Content;
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  /** Empty where no API key is needed. */
  readonly security?: readonly object[];
}

/** As much of the API's OpenAPI document as types are made of. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

/** What banks and KYC providers send: a partner's program has no business with it. */
const OF_PROVIDERS = 'Provider callbacks';

/** An operation with its parameters and responses in full. */
export interface FoundOperation extends Omit<Operation, 'parameters' | 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The operations that a partner's program may send, in the document's order. */
export function partnerOperations(document: ApiDocument): FoundOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((one) => found(document, 'parameters', one)),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, answer]) => {
            return [status, found<Answer>(document, 'responses', answer)];
          }),
        ),
      }))
      .filter(({ tags }) => tags?.includes(OF_PROVIDERS) !== true),
  );
}

/** A shared part in the place of a reference to it. Throws where there is none. */
function found<Part extends object>(
  { components }: ApiDocument,
  kind: 'parameters' | 'responses',
  part: Part | Reference,
): Part {
  if (!('$ref' in part)) return part;
  const shared = components[kind]?.[part.$ref.replace(`#/components/${kind}/`, '')];
  if (shared === undefined) throw new Error(`the document has no ${part.$ref}`);
  return shared as Part;
}
