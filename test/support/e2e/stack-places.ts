import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every log of a stack and Temporal's database, as the bytes that lie on the disk. */
export function readPlaces(stackFolder: string): Record<string, Buffer> {
  const inFolder = (folder: string, isWanted: (name: string) => boolean) =>
    readdirSync(join(stackFolder, folder))
      .filter(isWanted)
      .map((name) => [name, readFileSync(join(stackFolder, folder, name))] as const);
  return Object.fromEntries([
    ...inFolder('logs', () => true),
    ...inFolder('.', (name) => name.startsWith('temporal.sqlite') || name === 'stack.log'),
  ]);
}
