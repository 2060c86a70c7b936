import { partnerOperations } from './api-document.ts';
import type { ApiDocument, FoundOperation, Parameter, Schema } from './api-document.ts';
import { docComment, wrap } from './doc-comment.ts';
import { typeName, typeText } from './type-text.ts';

const JSON_TYPE = 'application/json';
const IN = '  ';
const COLUMNS = 100;
/** The parameters of every list: `Paging` of page.ts. */
const PAGING = ['limit', 'cursor'];

/**
 * The file that has every operation of a partner: in a table how it is sent, in an interface of what
 * types its parameters, its body and its answer are. A part that an operation does not have is left out.
 */
export function renderOperationsFile(document: ApiDocument, head: string): string {
  const operations = partnerOperations(document);
  return `${head}
import type { Page, Paging } from '../page.ts';
${renderImport(operations)}
/** Of what types the parameters, the body and the answer of each operation are. */
export interface Operations {
${operations.map(renderTypes).join('')}}

/** How an operation is sent. */
export interface OperationRules {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  readonly needsApiKey?: true;
  readonly takesIdempotencyKey?: true;
  readonly takesIfMatch?: true;
}

/** How each operation is sent. */
export const OPERATIONS = {
${operations.map(renderRow).join('')}} as const satisfies Record<keyof Operations, OperationRules>;
`.replaceAll(' \n', '\n');
}

/** The named schemas that the operations' parameters, bodies and answers refer to. */
function renderImport(operations: readonly FoundOperation[]): string {
  const looked = operations.map((one) => [
    ...[...inPlace(one, 'query'), ...inPlace(one, 'path')].map(({ schema }) => schema),
    one.requestBody,
    successes(one),
  ]);
  const refs = JSON.stringify(looked).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const names = [...new Set([...refs].map(([, name = '']) => typeName(name)))].sort();
  return `import type {\n${wrap(`${names.join(', ')},`, COLUMNS - IN.length)
    .map((line) => `${IN}${line}\n`)
    .join('')}} from './schemas.ts';\n`;
}

function renderRow(operation: FoundOperation): string {
  const { operationId, method, path, security } = operation;
  const takes = (header: string) =>
    inPlace(operation, 'header').some(({ name }) => name === header);
  const marks = {
    needsApiKey: security?.length !== 0,
    takesIdempotencyKey: takes('idempotency-key'),
    takesIfMatch: takes('if-match'),
  };
  const set = Object.entries(marks).filter(([, isSo]) => isSo);
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...set.map(([name]) => `${name}: true`),
  ];
  const line = `${IN}${operationId}: { ${members.join(', ')} },\n`;
  if (line.length <= COLUMNS) return line;
  return `${IN}${operationId}: {\n${members.map((one) => `${IN}${IN}${one},\n`).join('')}${IN}},\n`;
}

function renderTypes(operation: FoundOperation): string {
  const { operationId, summary = '', description = '' } = operation;
  const sentence = /[.?!]$/.test(summary) || summary === '' ? summary : `${summary}.`;
  const comment = docComment(`${sentence} ${description}`.trim(), IN);
  const members = {
    path: pathText(operation),
    query: queryText(operation),
    body: bodyText(operation),
    answer: answerText(operation),
  };
  const lines = Object.entries(members).flatMap(([name, type]) =>
    type === null ? [] : [`${IN}${IN}readonly ${name}: ${type};\n`],
  );
  return `${comment}${IN}readonly ${operationId}: {\n${lines.join('')}${IN}};\n`;
}

const inPlace = ({ parameters }: FoundOperation, place: string): readonly Parameter[] =>
  parameters.filter((one) => one.in === place);

/** What a path names stands in the method that fills it; here are only the names. Null where it names nothing. */
function pathText(operation: FoundOperation): string | null {
  const members = inPlace(operation, 'path').map(
    ({ name, schema }) => `readonly ${name}: ${typeText(schema)}`,
  );
  return members.length === 0 ? null : `{ ${members.join('; ')} }`;
}

function queryText(operation: FoundOperation): string | null {
  const query = inPlace(operation, 'query');
  if (query.length === 0) return null;
  const isPaged = PAGING.every((name) => query.some((one) => one.name === name));
  const own = query.filter(({ name }) => !isPaged || !PAGING.includes(name));
  const lines = own.map(({ name, required = false, description, schema }) => {
    const type = parameterText(name, schema);
    const typed = required ? `: ${type}` : `?: ${type} | undefined`;
    return `${docComment(description, IN.repeat(3))}${IN.repeat(3)}readonly ${name}${typed};\n`;
  });
  const types = [
    ...(isPaged ? ['Paging'] : []),
    ...(own.length === 0 ? [] : [`{\n${lines.join('')}${IN}${IN}}`]),
  ];
  // Where none is required, all may be left out.
  const isRequired = own.some(({ required }) => required === true);
  if (isRequired) return types.join(' & ');
  return types.length === 1
    ? `${types.join('')} | undefined`
    : `(${types.join(' & ')}) | undefined`;
}

/** A parameter as a program has it: what is text in a URL may be a number or a moment there. */
function parameterText(name: string, schema: Parameter['schema']): string {
  if (name === 'limit') return 'number';
  return schema.format === 'date-time' ? 'string | Date' : typeText(schema);
}

function bodyText({ requestBody }: FoundOperation): string | null {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (schema === undefined) return null;
  // A body that may be null may be left out.
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];
  const type = typeText(choices.length === 1 ? (choices[0] ?? schema) : schema, `${IN}${IN}`);
  return requestBody?.required === false ? `${type} | undefined` : type;
}

function answerText(operation: FoundOperation): string {
  const schemas = successes(operation).flatMap(({ content = {} }) => Object.values(content));
  const types = schemas.map(({ schema = {} }) => pageText(schema) ?? typeText(schema, IN + IN));
  return types.length === 0 ? 'undefined' : [...new Set(types)].join(' | ');
}

/** The type of an answer that is a page of a list; null of every other. */
function pageText({ properties = {} }: Schema): string | null {
  const { data, hasMore, nextCursor, ...more } = properties;
  const isPage = hasMore !== undefined && nextCursor !== undefined;
  if (data?.items === undefined || !isPage || Object.keys(more).length > 0) return null;
  return `Page<${typeText(data.items, `${IN}${IN}`)}>`;
}

const successes = ({ responses }: FoundOperation) =>
  Object.entries(responses).flatMap(([status, answer]) => (status.startsWith('2') ? [answer] : []));
