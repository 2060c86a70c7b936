import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A signature as it came, with nothing of ours in its reading. */
export interface Signed {
  /** The 32 bytes. */
  readonly key: Buffer;
  readonly content: Buffer;
  readonly signature: Buffer;
}

/** The public key's algorithm identifier (RFC 8410), to be followed by its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const GO_PROGRAM = join(import.meta.dirname, 'verify-ed25519.go');

/** The verdict of the program openssl. */
export function verifiesByOpenssl({ key, content, signature }: Signed): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'cw-openssl-'));
  const path = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  try {
    const der = Buffer.concat([SPKI, key]).toString('base64');
    const pem = `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
    const files = [
      ...['-inkey', path('key.pem', pem), '-in', path('content', content)],
      ...['-sigfile', path('signature', signature)],
    ];
    const run = spawnSync('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...files]);
    const text = `${String(run.stdout)}${String(run.stderr)}`;
    if (run.status === 0 && text.includes('Verified Successfully')) return true;
    if (text.includes('Verification Failure')) return false;
    throw new Error(`openssl: ${text}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The verdicts of Go's crypto/ed25519, which shares no code with openssl and Node. */
export function verifyByGo(signed: readonly Signed[]): boolean[] {
  const input = signed.map(({ key, content, signature }) => ({
    key: key.toString('base64'),
    content: content.toString('base64'),
    signature: signature.toString('base64'),
  }));
  const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local' };
  const options = { input: JSON.stringify(input), env, cwd: tmpdir() };
  return JSON.parse(execFileSync('go', ['run', GO_PROGRAM], options).toString()) as boolean[];
}
