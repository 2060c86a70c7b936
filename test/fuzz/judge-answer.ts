import type { Operation } from './api-document.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { SchemaCheck } from './schema-check.ts';
import { jsonOf, type FuzzAnswer } from './send-request.ts';

/** What a request brought to light. */
export interface Finding {
  /** In a few words that stay the same when the request gets smaller. */
  readonly what: string;
  readonly details: string;
}

const REQUEST_ID = /^req_[0-9a-z]{26}$/;
const SHOWN_MAX = 600;

/** What is wrong with an answer, by the document and by what holds of every answer; null where nothing is. */
export function judgeAnswer(
  check: SchemaCheck,
  operation: Operation,
  request: FuzzRequest,
  answer: FuzzAnswer,
): Finding | null {
  const details = `${String(answer.status)} ${answer.text.slice(0, SHOWN_MAX)}`;
  const finding = (what: string, more = ''): Finding => {
    return {
      what: `${operation.id}: ${what}`,
      details: more === '' ? details : `${more}\n${details}`,
    };
  };
  if (answer.failure !== null) return finding('no answer came', answer.failure);
  if (answer.status >= 500) return finding(`answered ${String(answer.status)}`);
  if (!REQUEST_ID.test(String(answer.headers['x-request-id']))) {
    return finding('X-Request-Id is missing');
  }
  if (answer.status === 429 && answer.headers['retry-after'] === undefined) {
    return finding('429 without Retry-After');
  }
  if (request.isForbidden && answer.status < 400) {
    return finding(`accepted (${request.broken ?? ''})`.replace(/\/[^ ]*/g, 'a place'));
  }
  const problem = problemByDocument(check, operation, answer);
  return problem === null ? null : finding(problem.what, problem.more);
}

function problemByDocument(
  check: SchemaCheck,
  operation: Operation,
  answer: FuzzAnswer,
): { what: string; more: string } | null {
  const status = String(answer.status);
  const documented = operation.answers[status];
  if (documented === undefined) return { what: `${status} is not documented`, more: '' };
  const types = Object.keys(documented.content ?? {});
  const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
  if (types.length === 0) {
    return answer.text === '' ? null : { what: `${status} has a body`, more: '' };
  }
  if (!types.includes(type)) {
    return {
      what: `${status} is of an undocumented type`,
      more: `${type}, not ${types.join(', ')}`,
    };
  }
  if (type !== 'application/json') return null;
  const json = jsonOf(answer);
  if (json === undefined) return { what: `${status} is no JSON`, more: '' };
  const problem = check.problemOf(
    [...['paths', operation.path, operation.method.toLowerCase(), 'responses', status]].concat([
      'content',
      type,
      'schema',
    ]),
    json,
  );
  return problem === null ? null : { what: `${status} does not fit its schema`, more: problem };
}
