import type { ApiDocument, Schema } from './api-document.ts';
import { docComment } from './doc-comment.ts';
import { membersText, typeName, typeText } from './type-text.ts';

/** The file of types that has one for every named schema of the document, by its name. */
export function renderSchemasFile(document: ApiDocument, head: string): string {
  const types = Object.entries(document.components.schemas).map(([name, schema]) =>
    renderType(typeName(name), schema),
  );
  return `${head}\n${types.join('\n')}`.replaceAll(' \n', '\n');
}

function renderType(name: string, schema: Schema): string {
  const comment = docComment(schema.description, '');
  if (schema.properties === undefined)
    return `${comment}export type ${name} = ${typeText(schema)};\n`;
  return `${comment}export interface ${name} {\n${membersText(schema, '  ')}}\n`;
}
