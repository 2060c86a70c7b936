import { join } from 'node:path';

const RUN = join(import.meta.dirname, '../../../bin/run.mjs');

/** What Node is called with to run a TypeScript program of this repository, before the program's own arguments. */
export function programArguments(file: string): string[] {
  return [RUN, file];
}
