import type { ProblemCode } from './problem-codes.ts';
import type { ErrorCode } from './registry.ts';

/** One problem of a request: where it is (JSON pointer), which, and a sentence for developers. */
export interface Problem {
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A request that is answered with an error of the registry. Its message is for the caller to read. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: readonly Problem[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** A refusal that points at one field of the body. */
export function refuseField(code: ErrorCode, path: string, message: string): Refusal {
  return new Refusal(code, message, [{ path, code, message }]);
}
