import type { SampleRequest } from './sample-request.ts';

/** The request as a Python program with the package `requests`. */
export function pythonSample(request: SampleRequest, apiUrl: string): string {
  const { operation, path, query, idempotencyKey, body } = request;
  const headers = [
    ...(operation.needsKey ? [`"Authorization": f"Bearer {os.environ['CAUSEWAY_API_KEY']}"`] : []),
    ...(idempotencyKey === null ? [] : [`"Idempotency-Key": ${JSON.stringify(idempotencyKey)}`]),
  ];
  const hasAnswer = operation.answers.some(({ sample }) => sample !== null);
  return [
    ...(operation.needsKey ? ['import os', ''] : []),
    'import requests',
    '',
    `answer = requests.${operation.verb}(`,
    `    ${JSON.stringify(apiUrl + path)},`,
    ...(Object.keys(query).length === 0 ? [] : [`    params=${literal(query, 1)},`]),
    ...(headers.length === 0
      ? []
      : ['    headers={', ...headers.map((line) => `        ${line},`), '    },']),
    ...(body === null ? [] : [`    json=${literal(body, 1)},`]),
    '    timeout=30,',
    ')',
    'answer.raise_for_status()',
    ...(hasAnswer ? ['print(answer.json())'] : []),
  ].join('\n');
}

/** A value as Python writes it; `depth` is how far its lines are set in. */
function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) {
    return block(
      '[',
      (value as unknown[]).map((one) => literal(one, depth + 1)),
      ']',
      depth,
    );
  }
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}: ${literal(one, depth + 1)}`,
    );
    return block('{', members, '}', depth);
  }
  return JSON.stringify(value);
}

function block(open: string, lines: readonly string[], close: string, depth: number): string {
  if (lines.length === 0) return open + close;
  const inner = '    '.repeat(depth + 1);
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${'    '.repeat(depth)}${close}`;
}
