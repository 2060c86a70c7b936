import { FIELD_CODE_NAMES, FIELD_CODES } from '../../domain/errors/problem-codes.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../domain/errors/registry.ts';
import { ERROR_ADVICE } from './error-advice.ts';

const MARKED = /(<!-- errors -->\n)[^]*?(<!-- end -->)/;

/** docs/reference/errors.md with the list between `<!-- errors -->` and `<!-- end -->` made anew. */
export function renderErrorsReference(page: string): string {
  const fieldCodes = FIELD_CODE_NAMES.map((code) => `- \`${code}\`: ${FIELD_CODES[code]}`);
  const list = [
    ...ERROR_CODES.map(describe),
    '## Codes of details',
    'These codes stand only in `details[].code`. They are never the `error` of an answer.',
    fieldCodes.join('\n'),
  ].join('\n\n');
  return page.replace(MARKED, (_all, start: string, end: string) => `${start}\n${list}\n\n${end}`);
}

function describe(code: ErrorCode): string {
  const { status, retryable, description } = ERRORS[code];
  const facts = `- ${String(status)}, ${retryable ? 'retryable' : 'not retryable'}`;
  return [`### ${code}`, '', description, '', facts, `- ${ERROR_ADVICE[code]}`].join('\n');
}
