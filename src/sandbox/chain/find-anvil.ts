import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const PACKAGE = '@foundry-rs/anvil-linux-amd64';

/**
 * The program that keeps a chain: the one that was named, else the package's (Linux on x86-64), else the
 * first `anvil` of the search path.
 * @param named a path, from a setting.
 * @param searchPath the folders of PATH.
 * @returns null where there is none.
 */
export function findAnvil(named: string | undefined, searchPath: string): string | null {
  if (named !== undefined) return existsSync(named) ? named : null;
  const packaged = findPackaged();
  if (packaged !== null) return packaged;
  return (
    searchPath
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, 'anvil'))
      .find((path) => existsSync(path)) ?? null
  );
}

function findPackaged(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    const path = join(dirname(manifest), 'bin', 'anvil');
    return existsSync(path) ? path : null;
  } catch {
    // An optional dependency: an installation may have left it out.
    return null;
  }
}
