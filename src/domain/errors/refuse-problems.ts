import { Refusal } from './refusal.ts';
import type { Problem } from './refusal.ts';
import { ERRORS } from './registry.ts';
import type { ErrorCode } from './registry.ts';

const UNPROCESSABLE = 422;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/**
 * One refusal for all problems of a body: a single one whose code is in the registry is answered under
 * that code, and so are several of one code that says that what is well-formed is not allowed (422);
 * anything else as validation_failed with the codes in the details.
 */
export function refuseProblems(problems: readonly Problem[]): Refusal {
  const [first] = problems;
  if (first !== undefined && isErrorCode(first.code)) {
    const isAlike = problems.every(({ code }) => code === first.code);
    if (problems.length === 1 || (isAlike && ERRORS[first.code].status === UNPROCESSABLE)) {
      return new Refusal(first.code, first.message, problems);
    }
  }
  return new Refusal(
    'validation_failed',
    'The request is not valid. `details` lists the fields to correct.',
    problems,
  );
}
