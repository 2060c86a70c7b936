import { partnerOperations } from './api-document.ts';
import type { ApiDocument, FoundOperation, Parameter } from './api-document.ts';
import { docComment } from './doc-comment.ts';
import { typeName, typeText } from './type-text.ts';

const JSON_TYPE = 'application/json';
const IN = '  ';

/**
 * The file that has every operation of a partner: in a table how it is sent, in an interface of what
 * types its parameters, its body and its answer are.
 */
export function renderOperationsFile(document: ApiDocument, head: string): string {
  const operations = partnerOperations(document);
  return `${head}
${renderImport(operations)}
/** Of what types the parameters, the body and the answer of each operation are. */
export interface Operations {
${operations.map(renderTypes).join('')}}

/** How each operation is sent. */
export const OPERATIONS = {
${operations.map(renderRow).join('')}} as const;
`.replaceAll(' \n', '\n');
}

/** The named schemas that the operations' bodies and answers refer to. */
function renderImport(operations: readonly FoundOperation[]): string {
  const looked = operations.map((one) => [one.requestBody, successes(one)]);
  const refs = JSON.stringify(looked).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const names = [...new Set([...refs].map(([, name = '']) => typeName(name)))].sort();
  return `import type {\n${names.map((name) => `${IN}${name},\n`).join('')}} from './schemas.ts';\n`;
}

function renderRow(operation: FoundOperation): string {
  const { operationId, method, path } = operation;
  const headers = (operation.parameters ?? []).filter((one) => one.in === 'header');
  const takes = (name: string) => headers.some((one) => one.name === name);
  const marks = {
    needsApiKey: operation.security?.length !== 0,
    takesIdempotencyKey: takes('idempotency-key'),
    takesIfMatch: takes('if-match'),
  };
  const row = Object.entries(marks).map(([name, isSo]) => `${IN}${IN}${name}: ${String(isSo)},\n`);
  return `${IN}${operationId}: {
${IN}${IN}method: '${method}',
${IN}${IN}path: '${path}',
${row.join('')}${IN}},
`;
}

function renderTypes(operation: FoundOperation): string {
  const { operationId, summary = '', description = '' } = operation;
  const comment = docComment([summary, description].filter((one) => one !== '').join('. '), IN);
  const members = {
    path: parametersText(operation, 'path'),
    query: parametersText(operation, 'query'),
    body: bodyText(operation),
    answer: answerText(operation),
  };
  const lines = Object.entries(members).map(
    ([name, type]) => `${IN}${IN}readonly ${name}: ${type};\n`,
  );
  return `${comment}${IN}readonly ${operationId}: {\n${lines.join('')}${IN}};\n`;
}

function parametersText({ parameters = [] }: FoundOperation, place: string): string {
  const here = parameters.filter((one) => one.in === place);
  if (here.length === 0) return 'undefined';
  const lines = here.map(({ name, required = false, description, schema }) => {
    const typed = required
      ? `: ${parameterText(name, schema)}`
      : `?: ${parameterText(name, schema)} | undefined`;
    return `${docComment(description, IN.repeat(3))}${IN.repeat(3)}readonly ${name}${typed};\n`;
  });
  // Where none is required, all may be left out.
  const isRequired = here.some(({ required }) => required === true);
  return `{\n${lines.join('')}${IN}${IN}}${isRequired ? '' : ' | undefined'}`;
}

/** A parameter as a program has it: what is text in a URL may be a number or a moment there. */
function parameterText(name: string, schema: Parameter['schema']): string {
  if (name === 'limit') return 'number';
  return schema.format === 'date-time' ? 'string | Date' : typeText(schema);
}

function bodyText({ requestBody }: FoundOperation): string {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (schema === undefined) return 'undefined';
  // A body that may be null may be left out.
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];
  const type = typeText(choices.length === 1 ? (choices[0] ?? schema) : schema, `${IN}${IN}`);
  return requestBody?.required === false ? `${type} | undefined` : type;
}

function answerText(operation: FoundOperation): string {
  const schemas = successes(operation).flatMap(({ content = {} }) => Object.values(content));
  const types = schemas.map(({ schema = {} }) => typeText(schema, `${IN}${IN}`));
  return types.length === 0 ? 'undefined' : [...new Set(types)].join(' | ');
}

const successes = ({ responses }: FoundOperation) =>
  Object.entries(responses).flatMap(([status, answer]) => (status.startsWith('2') ? [answer] : []));
