/** As much of an OpenAPI 3.1 document as the pages show. What is not named here is not shown. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly headers?: Readonly<Record<string, Described>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

type PathItem = Readonly<Partial<Record<Verb, Operation>>>;

/** In the order in which a page tells of the operations of a path. */
export const VERBS = ['post', 'get', 'put', 'patch', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required?: boolean;
    readonly content?: Readonly<Record<string, Media>>;
  };
  readonly responses?: Readonly<Record<string, Answer | Reference>>;
  readonly 'x-required-scope'?: string;
}

export interface Answer {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, Described | Reference>>;
}

interface Described {
  readonly description?: string;
  readonly schema?: Schema;
}

interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

type Examples = Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Examples;
}

/** A schema of JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly deprecated?: boolean;
}

const REFERENCE = /^#\/components\/(schemas|parameters|headers|responses)\/([^/]+)$/;

/**
 * What a reference of the document leads to, over any number of references, with what stands beside them: that goes
 * before. What is no reference is answered as it is. Throws for one that leads nowhere, or in a circle.
 */
export function follow<Part extends object>(document: OpenApi, part: Part | Reference): Part {
  let now: Part | Reference = part;
  for (let steps = 0; '$ref' in now && now.$ref !== undefined; steps += 1) {
    const { $ref, ...beside }: Reference = now;
    const [, room, name = ''] = REFERENCE.exec($ref) ?? [];
    const found = room && document.components?.[room as 'schemas']?.[name];
    if (!found || steps > 20) throw new Error(`the document has no ${$ref}`);
    now = { ...found, ...beside } as Part | Reference;
  }
  return now as Part;
}

/** The name of the shared schema that a reference leads to; undefined where it is none. */
export const nameOfReference = ({ $ref }: Schema): string | undefined =>
  $ref === undefined ? undefined : REFERENCE.exec($ref)?.[2];
