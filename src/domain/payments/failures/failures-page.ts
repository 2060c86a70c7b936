import { FAILURE_CODES, FAILURES, type FailureCode } from './failure-catalogue.ts';
import { railCodesOf, reasonOf } from './rail-reasons.ts';

const MARKED = /(<!-- failures -->\n)[^]*?(<!-- end -->)/;

/** docs/reference/failures.md with the list between `<!-- failures -->` and `<!-- end -->` made anew. */
export function renderFailuresPage(page: string): string {
  const list = FAILURE_CODES.map(describe).join('\n\n');
  return page.replace(MARKED, (_all, start: string, end: string) => `${start}\n${list}\n\n${end}`);
}

function describe(code: FailureCode): string {
  const { category, message, retryable, action, nextStep } = FAILURES[code];
  const railCodes = railCodesOf(code).map((railCode) => `\`${railCode}\`${kindOf(railCode, code)}`);
  return [
    `### ${code}`,
    '',
    message,
    '',
    `- category \`${category}\`, ${retryable ? 'retryable' : 'not retryable'}, action \`${action}\``,
    `- ${nextStep}`,
    ...(railCodes.length === 0 ? [] : [`- rail codes: ${railCodes.join(', ')}`]),
  ].join('\n');
}

/** Names the kind where a rail's code stands for one reason in a rejection and for another in a return. */
function kindOf(railCode: string, code: FailureCode): string {
  const rejected = reasonOf(railCode, 'REJECTED').code;
  const returned = reasonOf(railCode, 'RETURNED').code;
  if (rejected === returned || [rejected, returned].includes('unspecified')) return '';
  return rejected === code ? ' (rejected)' : ' (returned)';
}
