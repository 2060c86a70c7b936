import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../../server/runtime/plain-error.ts';

const OWNER_ONLY = 0o600;

/**
 * Keeps the endpoint's secret in a file that only its owner may read, for the receiver that webhooks are handed
 * on to. Answers how to take it away again. Throws PlainError where the file holds anything but a secret.
 */
export function keepSecret(path: string, secret: string): () => void {
  try {
    if (existsSync(path) && !isSecret(path)) {
      throw new PlainError(`${path} contains something else. Give --secret-file another path.`);
    }
    // Anew, so that an older file's permissions do not stay.
    rmSync(path, { force: true });
    writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainError(`${path} cannot be written (${code ?? 'no code'}).`);
  }
  return () => {
    if (existsSync(path) && isSecret(path)) rmSync(path);
  };
}

const isSecret = (path: string): boolean =>
  /^whsec_[A-Za-z0-9+/=]+\n?$/.test(readFileSync(path, 'utf8'));
