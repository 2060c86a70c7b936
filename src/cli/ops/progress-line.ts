/** Says how far long work has come: one line that overwrites itself. An empty text removes it. */
export type ShowProgress = (text: string) => void;

/** Returns to the first column and clears the line. */
const CLEAR_LINE = '\r\u001b[2K';
const COLUMNS_DEFAULT = 80;

/** Nothing is written where the output is no terminal: a log file has no line to overwrite. */
export function createProgressLine(output: {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}): ShowProgress {
  if (output.isTTY !== true) return () => undefined;
  return (text) => {
    // A longer line wraps, and only its last row could be cleared.
    output.write(`${CLEAR_LINE}${text.slice(0, (output.columns ?? COLUMNS_DEFAULT) - 1)}`);
  };
}
