import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError } from '../../server/runtime/plain-error.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';
const SETPRIV = '/usr/bin/setpriv';

/**
 * The account that PostgreSQL runs under: null for an ordinary user (it runs as that user). Started
 * by root, PostgreSQL refuses to run as root, so the system's postgres account is used, or created.
 */
export function accountForPostgres(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const known = lookUp();
  if (known !== null) return known;
  try {
    execFileSync('groupadd', ['--system', NAME], { stdio: 'ignore' });
    execFileSync('useradd', ['--system', '-g', NAME, '-M', NAME], { stdio: 'ignore' });
  } catch {
    // The look-up below tells whether it helped.
  }
  const created = lookUp();
  if (created !== null) return created;
  throw new PlainError(
    'PostgreSQL does not run as root, and the account "postgres" could not be created. ' +
      'Run as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/**
 * How to start a program under `account` so that it can reach `paths`. Where the account may not
 * enter a folder on the way (a checkout below /root), it keeps one of root's rights, to pass
 * closed folders, and nothing else of root.
 */
export function commandAs(
  account: Account | null,
  program: string,
  args: readonly string[],
  paths: readonly string[],
): { command: string; args: string[]; uid?: number; gid?: number } {
  if (account === null) return { command: program, args: [...args] };
  const closed = [program, ...paths].map((path) => closedFolder(account, path)).find(Boolean);
  if (closed === undefined) return { command: program, args: [...args], ...account };
  if (!existsSync(SETPRIV)) {
    throw new PlainError(
      `The account "postgres" may not enter ${closed}. Move the checkout and DATA_DIR out of it, ` +
        'run as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const right = '+dac_override';
  const rights = ['--inh-caps', right, '--ambient-caps', right];
  // Without no_setuid_fixup access(2) ignores the right, and initdb does not find its own files.
  const bits = ['--securebits', '+no_setuid_fixup', '--clear-groups'];
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid)];
  return { command: SETPRIV, args: [...ids, ...bits, ...rights, '--', program, ...args] };
}

function lookUp(): Account | null {
  try {
    const ask = (flag: string): number =>
      Number(
        execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return null;
  }
}

/** The folder on the way to `path` that the account may not enter, if there is one. */
function closedFolder(account: Account, path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
