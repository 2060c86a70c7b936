import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { assertPortFree, freePort, retryLostPort } from '../../../../src/cli/embedded/ports.ts';

describe('ports', () => {
  it('a taken port is named together with the part and the variable that moves it', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const refusal = assertPortFree(port, 'Temporal UI', 'TEMPORAL_UI_PORT');
    await expect(refusal).rejects.toThrow(PlainError);
    await expect(refusal).rejects.toThrow(
      new RegExp(`Port ${port}.*Temporal UI.*TEMPORAL_UI_PORT.*0 picks a free port`),
    );
    server.close();
    await once(server, 'close');
    await expect(assertPortFree(port, 'Temporal UI', 'TEMPORAL_UI_PORT')).resolves.toBeUndefined();
  });

  it('no port is handed out twice', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, freePort));
    expect(new Set(ports).size).toBe(200);
  });

  it('no port is handed out that an outgoing connection could be given before a part listens on it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = connect(port, '127.0.0.1');
    await once(connection, 'connect');
    const own = connection.localPort ?? 0;
    await expect(assertPortFree(own, 'the API', 'PORT')).rejects.toThrow('in use');
    const handedOut = await Promise.all(Array.from({ length: 200 }, freePort));
    // Linux gives them from 32768, macOS from 49152.
    expect(Math.max(...handedOut)).toBeLessThan(Math.min(32_768, own));
    expect(Math.min(...handedOut)).toBeGreaterThanOrEqual(1024);
    connection.destroy();
    server.close();
  });

  it('a free port that another program was quicker to take is tried again, not forever', async () => {
    let starts = 0;
    const start = (failures: number) => async (): Promise<string> => {
      starts += 1;
      if (starts <= failures) throw new Error('bind: Address already in use');
      return 'up';
    };
    await expect(retryLostPort(start(2))).resolves.toBe('up');
    starts = 0;
    await expect(retryLostPort(start(9))).rejects.toThrow('already in use');
    expect(starts).toBe(3);
  });
});
