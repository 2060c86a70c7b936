const DESCRIPTIONS = {
  MALFORMED: 'the XML is not well-formed',
  TRUNCATED: 'the file ends before its XML does',
  DTD_REFUSED: 'the file has a document type declaration, which is refused',
  TOO_DEEP: 'elements are nested too deeply',
  TEXT_TOO_LONG: 'a text, tag or comment is too long',
  TOO_MANY_LINES: 'the file has too many lines',
  TOO_LARGE: 'the file is larger than what is read',
  ENCODING_UNKNOWN: 'the declared character encoding is not known',
  ENCODING_BROKEN: 'the bytes are not in the declared character encoding',
  NOT_CAMT053: 'the file is not a camt.053 statement',
  NO_STATEMENT: 'the file holds no statement',
  NO_STATEMENT_ID: 'a statement has no identification',
} as const;

export type StatementProblem = keyof typeof DESCRIPTIONS;

/**
 * The file of a statement cannot be read on from here, now or ever: only the bank can mend it. The
 * message holds nothing of the file's content: it may go into logs. Line and column are 1-based; 0
 * where they are not known.
 */
export class StatementUnreadable extends Error {
  override readonly name = 'StatementUnreadable';
  readonly problem: StatementProblem;
  readonly line: number;
  readonly column: number;

  constructor(
    problem: StatementProblem,
    position: { readonly line: number; readonly column: number } = { line: 0, column: 0 },
  ) {
    super(`${DESCRIPTIONS[problem]} (line ${position.line}, column ${position.column})`);
    this.problem = problem;
    this.line = position.line;
    this.column = position.column;
  }
}
