/** A provider's document, its keys and its tokens are a few kB. */
const ANSWER_BYTES_MAX = 1_048_576;

/** An answer of a login provider is longer than it may be. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly code = 'ANSWER_TOO_LARGE';
}

/**
 * Fetches and reads the answer, up to a limit: a provider, or whoever answers in its place, does not fill the memory. The
 * signal of the request ends the reading as well. Throws AnswerTooLarge.
 */
export async function fetchBounded(url: string, options: object): Promise<Response> {
  const answer = await fetch(url, options);
  if (answer.body === null) return answer;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection. After decompression: a small answer may become a large one.
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new AnswerTooLarge(`more than ${String(ANSWER_BYTES_MAX)}`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = answer;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
