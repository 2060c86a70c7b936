import { withQuery, type SampleRequest } from './sample-request.ts';

/** The request as one curl command, for a shell in which CAUSEWAY_API_KEY is set. */
export function curlSample(request: SampleRequest, apiUrl: string): string {
  const { operation, idempotencyKey, body } = request;
  const hasBody = body !== null;
  const isUsual = operation.verb === 'get' || (operation.verb === 'post' && hasBody);
  const lines = [
    `curl ${isUsual ? '' : `-X ${operation.verb.toUpperCase()} `}${quote(apiUrl + withQuery(request))}`,
    ...(operation.needsKey ? ['-H "Authorization: Bearer $CAUSEWAY_API_KEY"'] : []),
    ...(idempotencyKey === null ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(hasBody ? ["-H 'Content-Type: application/json'"] : []),
    ...(hasBody ? [`-d ${quote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** One word of a POSIX shell, in which nothing is replaced. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
