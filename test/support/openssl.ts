import { execFileSync } from 'node:child_process';

/** Runs OpenSSL as a person at a shell does. Throws with what it wrote where it fails. */
export const openssl = (...args: readonly string[]): string =>
  execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Makes an Ed25519 key in a PEM file. Answers its public key as the operator keys file names it. */
export function makeFileKey(path: string): string {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', path);
  const [, publicKey = ''] = openssl('pkey', '-in', path, '-pubout').split('\n');
  return publicKey;
}
