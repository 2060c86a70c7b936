import { buildApp } from '../../../src/api/app.ts';
import { documentDeps } from '../../../src/api/openapi/document-deps.ts';
import { renderOpenApi } from '../../../src/api/openapi/openapi.ts';
import { inlineParts } from './inline-parts.ts';

export interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly $ref?: string; readonly summary?: string; readonly value?: unknown }>
  >;
}

/** As much of a schema as tests read. */
export interface DocumentedSchema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly type?: string; readonly format?: string }[];
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
}

export interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly example?: unknown;
    /** A reference is to a named list of values. */
    readonly schema: { readonly $ref?: string; readonly enum?: readonly unknown[] };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, Media>>;
        readonly links?: Readonly<Record<string, Link>>;
      }
    >
  >;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentedSchema>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** The document as the routes make it, and each of its operations with a name for messages. */
export async function readOpenApi() {
  const app = buildApp(documentDeps());
  await app.ready();
  const document = inlineParts(JSON.parse(renderOpenApi(app)) as OpenApiDocument);
  await app.close();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { name: `${method.toUpperCase()} ${path}`, path, method, operation };
    }),
  );
  return { document, operations };
}
