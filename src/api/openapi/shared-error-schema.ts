import { ErrorBody } from '../schemas/error.ts';

/** As much of an OpenAPI document as is changed here. */
interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, DocumentedAnswer> }>>;
  components?: { schemas?: Record<string, unknown> };
}

interface DocumentedAnswer {
  content?: Record<string, { schema?: ErrorSchema }>;
}

interface ErrorSchema {
  readonly properties?: { readonly error?: { readonly enum?: readonly string[] } };
}

/**
 * Writes the body of errors once, as components.schemas.Error, and lets every answer of 4xx and 5xx
 * refer to it with the codes that it may carry: a tenth of the size.
 */
export function shareErrorSchema<Doc extends object>(document: Doc): Doc {
  const { paths, components } = document as Document;
  for (const operation of Object.values(paths ?? {}).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const media = answer.content?.['application/json'];
      const codes = media?.schema?.properties?.error?.enum;
      if (!/^[45]/.test(status) || media === undefined || codes === undefined) continue;
      const narrowed = { properties: { error: { type: 'string', enum: codes } } };
      media.schema = { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] } as ErrorSchema;
    }
  }
  if (components !== undefined) {
    components.schemas = {
      ...components.schemas,
      Error: JSON.parse(JSON.stringify(ErrorBody)) as object,
    };
  }
  return document;
}
