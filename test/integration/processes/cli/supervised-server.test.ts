import { describe, expect, it, vi } from 'vitest';
import type { ProcessExit } from '../../../../src/cli/embedded/detached-process.ts';
import type { RunningServer } from '../../../../src/cli/embedded/supervised-server.ts';
import { superviseServer } from '../../../../src/cli/embedded/supervised-server.ts';

interface FakeServer extends RunningServer {
  die(): void;
  readonly stop: ReturnType<typeof vi.fn<() => Promise<void>>>;
}

/** Promise.withResolvers() needs Node 22. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function fakeServer(pid: number): FakeServer {
  const { promise, resolve } = deferred<ProcessExit>();
  return {
    pid,
    exited: promise,
    stop: vi.fn(async () => resolve({ reason: 'signal SIGTERM', wasAsked: true })),
    die: () => resolve({ reason: 'signal SIGKILL', wasAsked: false }),
  };
}

describe('a supervised server', () => {
  it('is started again when it dies unasked, also when the first try fails', async () => {
    const servers = [fakeServer(1), fakeServer(2)];
    const lines: string[] = [];
    const start = vi
      .fn<() => Promise<FakeServer>>()
      .mockResolvedValueOnce(servers[0]!)
      .mockRejectedValueOnce(new Error('port taken'))
      .mockResolvedValueOnce(servers[1]!);
    const onRestart = vi.fn();
    const supervised = await superviseServer({
      name: 'postgres',
      start,
      onLine: (line) => lines.push(line),
      onRestart,
    });
    servers[0]!.die();
    await vi.waitFor(() => expect(onRestart).toHaveBeenCalledWith(servers[1]), 60_000);
    expect(supervised.current().pid).toBe(2);
    expect(lines).toEqual([
      '[postgres] died (signal SIGKILL), starting it again',
      '[postgres] could not be started again: port taken',
    ]);
    await supervised.stop();
  });

  it('is not started again after a stop, even one that comes while it restarts', async () => {
    const [first, second] = [fakeServer(1), fakeServer(2)];
    const slow = deferred<FakeServer>();
    const start = vi
      .fn<() => Promise<FakeServer>>()
      .mockResolvedValueOnce(first)
      .mockReturnValueOnce(slow.promise);
    const supervised = await superviseServer({ name: 'temporal', start, onLine: () => undefined });
    first.die();
    await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2), 60_000);
    const stopped = supervised.stop();
    slow.resolve(second);
    await stopped;
    expect(second.stop).toHaveBeenCalled();
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('a first start that fails is the caller’s to show', async () => {
    const start = (): Promise<FakeServer> => Promise.reject(new Error('no disk'));
    await expect(superviseServer({ name: 'x', start, onLine: () => undefined })).rejects.toThrow(
      'no disk',
    );
  });
});
