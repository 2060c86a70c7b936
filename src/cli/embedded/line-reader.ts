import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

// A program that never ends its line must not fill our memory.
const LINE_LENGTH_MAX = 64 * 1024;

/** Calls `onLine` for every line of a stream, without its line break; overlong lines are cut up. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.replace(/\r$/, ''));
    if (rest.length > LINE_LENGTH_MAX) {
      onLine(rest);
      rest = '';
    }
  });
  stream.once('end', () => {
    rest += decoder.end();
    if (rest !== '') onLine(rest);
  });
  // A pipe that breaks with its process is not an error of ours.
  stream.on('error', () => undefined);
}
