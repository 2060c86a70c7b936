import type { SampleRequest } from './sample-request.ts';

/** Which method of the client sends an operation. */
export interface ClientMethod {
  /** The property of the client: "payments". */
  readonly resource: string;
  readonly method: string;
}

/** The request as a program with the client `causeway/client`. */
export function typescriptSample(
  request: SampleRequest,
  apiUrl: string,
  { resource, method }: ClientMethod,
): string {
  const { operation, pathValues, query, idempotencyKey, body } = request;
  const samples = operation.answers.map(({ sample }) => sample);
  const args = [
    ...pathValues.map((value) => quote(value)),
    ...(body === null ? [] : [literal(body, 0)]),
    ...(Object.keys(query).length === 0 ? [] : [literal(query, 0)]),
    ...(idempotencyKey === null ? [] : [`{ idempotencyKey: ${quote(idempotencyKey)} }`]),
  ];
  const call = `causeway.${resource}.${method}(${args.join(', ')})`;
  return [
    "import { Causeway } from 'causeway/client';",
    '',
    'const causeway = new Causeway({',
    "  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',",
    `  baseUrl: ${quote(apiUrl)},`,
    '});',
    '',
    ...resultLines(call, samples),
  ].join('\n');
}

function resultLines(call: string, answers: readonly unknown[]): readonly string[] {
  if (answers.some(isPage)) {
    return [`for await (const item of ${call}) {`, '  console.log(item);', '}'];
  }
  const hasAnswer = answers.some((answer) => answer !== null);
  return hasAnswer ? [`const answer = await ${call};`, 'console.log(answer);'] : [`await ${call};`];
}

/** A page of a list: the client goes on to those after it by itself. */
const isPage = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'hasMore' in answer;

const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** A value as TypeScript writes it; `depth` is how far its lines are set in. */
function literal(value: unknown, depth: number): string {
  const inner = '  '.repeat(depth + 1);
  const outer = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const lines = (value as unknown[]).map((one) => `${inner}${literal(one, depth + 1)},\n`);
    return `[\n${lines.join('')}${outer}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    const lines = members.map(
      ([name, one]) => `${inner}${nameOf(name)}: ${literal(one, depth + 1)},\n`,
    );
    return `{\n${lines.join('')}${outer}}`;
  }
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
