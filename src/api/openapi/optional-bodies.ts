/** As much of an OpenAPI document as is changed here. */
interface Document {
  paths?: Record<string, Record<string, { requestBody?: Body }>>;
}

interface Body {
  required?: boolean;
  readonly content?: Record<string, { readonly schema?: { readonly anyOf?: { type?: string }[] } }>;
}

/** Where a body's schema takes null, the body may be left out: the document says so. */
export function markOptionalBodies<Doc extends object>(document: Doc): Doc {
  const { paths } = document as Document;
  for (const { requestBody } of Object.values(paths ?? {}).flatMap((path) => Object.values(path))) {
    const choices = requestBody?.content?.['application/json']?.schema?.anyOf ?? [];
    if (requestBody !== undefined && choices.some(({ type }) => type === 'null')) {
      requestBody.required = false;
    }
  }
  return document;
}
