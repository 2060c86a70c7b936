/**
 * A failure whose message is written for the person at the terminal: what is wrong and what to do
 * about it. Composition roots print the message alone; a stack would only bury the way out.
 */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** Why a file cannot be used: our own messages, and the codes of the file system. They name no person and no address. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'it cannot be read';
