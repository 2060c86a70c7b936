import { FAILURE_CODES, FAILURES } from './failure-catalogue.ts';
import { railCodesOf } from './rail-reasons.ts';

const MARKED = /(<!-- failures -->\n)[^]*?(<!-- end -->)/;

/** docs/reference/failures.md with the list between `<!-- failures -->` and `<!-- end -->` made anew. */
export function renderFailuresPage(page: string): string {
  const list = FAILURE_CODES.map(describe).join('\n\n');
  return page.replace(MARKED, (_all, start: string, end: string) => `${start}\n${list}\n\n${end}`);
}

function describe(code: (typeof FAILURE_CODES)[number]): string {
  const { category, message, retryable, action, nextStep } = FAILURES[code];
  const railCodes = railCodesOf(code).map((railCode) => `\`${railCode}\``);
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
