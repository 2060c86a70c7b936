import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LockAttempt } from './pid-lock.ts';
import { tryPidLock } from './pid-lock.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

interface DataFolder {
  /** The absolute path of the folder, the same one whichever link led to it. */
  readonly path: string;
  /** Replaces `state.json` as a whole; readable by its owner only, since it holds keys. */
  writeState(state: unknown): void;
  /** Removes `state.json` and gives the folder free. */
  release(): void;
}

/**
 * Takes the folder that holds everything a local run keeps, for this process alone.
 * @throws PlainError when another living process holds it.
 */
export function openDataFolder(folder: string): DataFolder {
  const { path, attempt } = takeLock(resolve(folder));
  if ('heldBy' in attempt) {
    throw new PlainError(
      `Causeway already runs on ${path} (process ${attempt.heldBy}). ` +
        'Stop that one first, or give this one a folder of its own with DATA_DIR.',
    );
  }
  const stateFile = join(path, 'state.json');
  // What a killed run left behind describes processes that are gone.
  rmSync(stateFile, { force: true });
  return {
    path,
    writeState: (state) => {
      writeAtomically(stateFile, `${JSON.stringify(state, null, 2)}\n`);
    },
    release: () => {
      rmSync(stateFile, { force: true });
      attempt.lock.release();
    },
  };
}

function takeLock(path: string): { readonly path: string; readonly attempt: LockAttempt } {
  try {
    mkdirSync(path, { recursive: true });
    // What a killed run left behind is known by its path.
    const real = realpathSync(path);
    return { path: real, attempt: tryPidLock(join(real, 'lock')) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainError(
      `The data folder ${path} cannot be written to (${code ?? String(error)}). ` +
        'Start Causeway as the user who owns it, or point DATA_DIR elsewhere.',
    );
  }
}

/** Writes beside and renames, so that a reader sees the old file or the new one, never a part. */
export function writeAtomically(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}
