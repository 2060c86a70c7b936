import { TextDecoder } from 'node:util';

/** The JSON of an answer; undefined where it is none, or says that it is something else. */
export function readJsonBody(answer: { contentType: string; body: Uint8Array }): unknown {
  if (answer.contentType !== '' && !/\bjson\b/i.test(answer.contentType)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.body));
  } catch {
    return undefined;
  }
}
