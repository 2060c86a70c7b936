import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClamdScanner } from '../../../src/adapters/clamd/clamd-scanner.ts';
import { keepKycUpload } from '../../../src/modules/parties/kyc/keep-kyc-upload.ts';
import { png } from '../../support/kyc-files.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A daemon that reads a whole stream, as clamd does, and then does what it is told. */
async function startDaemon(act: (socket: Socket, stream: Buffer) => void) {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (received.subarray(-4).equals(Buffer.alloc(4))) act(socket, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** The bytes of a stream of INSTREAM; null where it is none. */
function readStream(stream: Buffer): Buffer | null {
  const begin = 'zINSTREAM\0';
  if (stream.subarray(0, begin.length).toString() !== begin) return null;
  const parts: Buffer[] = [];
  let at = begin.length;
  for (;;) {
    const length = stream.readUInt32BE(at);
    if (length === 0) return at + 4 === stream.length ? Buffer.concat(parts) : null;
    parts.push(stream.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

describe('a document that is scanned', () => {
  it('reaches clamd whole, in parts', async () => {
    const file = png(200_000);
    const seen: (Buffer | null)[] = [];
    const address = await startDaemon((socket, stream) => {
      seen.push(readStream(stream));
      socket.end('stream: OK\0');
    });
    expect(await createClamdScanner(address).scan(file)).toBe('CLEAN');
    expect(seen[0]?.equals(file)).toBe(true);
  });

  it.each([
    ['stream: Eicar-Test-Signature FOUND\0', 'HARMFUL'],
    ['INSTREAM size limit exceeded. ERROR\0', 'NOT_SCANNED'],
    ['stream: OK', 'CLEAN'],
    ['', 'NOT_SCANNED'],
    ['OK', 'NOT_SCANNED'],
    [`stream: ${'x'.repeat(2_000)} FOUND`, 'NOT_SCANNED'],
  ] as const)('is what clamd says: %j is %s', async (answer, verdict) => {
    const address = await startDaemon((socket) => socket.end(answer));
    expect(await createClamdScanner(address).scan(png(300))).toBe(verdict);
  });

  it('is not taken for clean by a scanner that is silent or away', async () => {
    const silent = await startDaemon(() => undefined);
    expect(await createClamdScanner(silent, 50).scan(png(300))).toBe('NOT_SCANNED');
    const away = { host: '127.0.0.1', port: 1 };
    expect(await createClamdScanner(away).scan(png(300))).toBe('NOT_SCANNED');
  });

  it.each(['HARMFUL', 'NOT_SCANNED'] as const)('is not kept where it is %s', async (verdict) => {
    const scanned: number[] = [];
    const documentScanner = {
      scan: (bytes: Uint8Array) => {
        scanned.push(bytes.length);
        return Promise.resolve(verdict);
      },
    };
    // Neither database nor vault is reached.
    const deps = { documentScanner } as unknown as Parameters<typeof keepKycUpload>[0];
    const page = {} as Parameters<typeof keepKycUpload>[1];
    const file = {
      type: 'PASSPORT',
      bytes: Buffer.concat([png(300), Buffer.from('tail')]),
    } as const;
    expect(await keepKycUpload(deps, page, 'token', file)).toBe(verdict);
    expect(scanned).toEqual([300]);
  });
});
