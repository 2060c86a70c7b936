/**
 * A failure whose message is written for the person at the terminal: what is wrong and what to do
 * about it. Composition roots print the message alone; a stack would only bury the way out.
 */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}
