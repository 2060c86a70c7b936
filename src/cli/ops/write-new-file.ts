import { writeFileSync } from 'node:fs';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** Writes a file that there is not yet. Throws PlainError where it cannot be written. */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new PlainError(`--file ${path} cannot be written (${code}). It must be a new file.`);
  }
}
