/** What a log may say about an unforeseen error. */
interface Fault {
  readonly name: string;
  readonly code?: string;
  /** PostgreSQL's table and constraint: names of ours, never values. */
  readonly table?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly stack?: string;
}

/** Errors whose text speaks of code, not of data; a SyntaxError or a database error quotes its input. */
const NAMES_WITH_SAFE_TEXT = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/**
 * Describes an error without its text where that may quote a name or an account number: class, code
 * and the frames of the stack say where it happened.
 */
export function describeFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, table, constraint } = error as Error & Record<string, unknown>;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(NAMES_WITH_SAFE_TEXT.has(error.name) ? { message: error.message } : {}),
    stack: frames.slice(0, 12).join('\n'),
  };
}
