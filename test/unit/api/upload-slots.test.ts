import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createBodyPace } from '../../../src/api/routes/parties/kyc-page/body-pace.ts';
import { createUploadSlots } from '../../../src/api/routes/parties/kyc-page/upload-slots.ts';

/** Uploads that begin and end when told. */
function createUploads() {
  const slots = createUploadSlots();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let count = 0;
  const never = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name);
      ends.push(resolve);
    });
  const read = (customerId: string, environment: 'test' | 'live') => {
    count += 1;
    const uploader = { customerId, environment, kycCheckId: `kyc_${String(count)}` };
    return slots.read(uploader, never(`${environment} ${customerId}`));
  };
  const countOf = (name: string) => begun.filter((one) => one === name).length;
  return { slots, begun, ends, read, countOf };
}

describe('places for uploads', () => {
  it('are not taken from live by test, however many of test are read', async () => {
    const { slots, read, countOf } = createUploads();
    for (let sent = 0; sent < 60; sent += 1) void read(`cus_${String(sent % 10)}`, 'test');
    void read('cus_1', 'live');
    const hang = () => new Promise(() => undefined);
    for (let kept = 0; kept < 20; kept += 1) void slots.keep('test', hang);
    await setImmediate();
    expect(countOf('live cus_1')).toBe(1);
    expect(await slots.keep('live', () => Promise.resolve('kept'))).toBe('kept');
  });

  it('are six for one customer, whose other uploads wait and hold up no other customer', async () => {
    const { ends, read, countOf } = createUploads();
    for (let sent = 0; sent < 40; sent += 1) void read('cus_many', 'live');
    void read('cus_one', 'live');
    await setImmediate();
    expect([countOf('live cus_many'), countOf('live cus_one')]).toEqual([6, 1]);
    for (const end of ends.splice(0)) end();
    await setImmediate();
    expect(countOf('live cus_many')).toBe(12);
  });

  it('that too many wait for are refused, and come back', async () => {
    const { ends, read, countOf } = createUploads();
    const sent = Array.from({ length: 69 }, (_none, at) =>
      read(`cus_${String(at)}`, 'test').then(
        () => 'kept',
        () => 'refused',
      ),
    );
    expect(await sent.at(-1)).toBe('refused');
    for (let turn = 0; turn < 20; turn += 1) {
      for (const end of ends.splice(0)) end();
      await setImmediate();
    }
    expect(new Set((await Promise.all(sent)).slice(0, 68))).toEqual(new Set(['kept']));
    void read('cus_next', 'test');
    await setImmediate();
    expect(countOf('test cus_next')).toBe(1);
  });
});

describe('the pace of a body', () => {
  const pace = { graceMs: 50, bytesPerSecond: 1_000_000 };
  const never = new Promise(() => undefined);

  it('may be any at first, and not slower than its least on average', async () => {
    const slow = createBodyPace(pace);
    slow.received(1_000);
    await expect(slow.wait(never)).rejects.toMatchObject({ status: 408 });
    const steady = createBodyPace(pace);
    steady.received(60_000_000);
    expect(await steady.wait(Promise.resolve('more'))).toBe('more');
  });

  it('is that of the sender: the time in between counts for nothing', async () => {
    vi.useFakeTimers();
    try {
      const body = createBodyPace(pace);
      vi.advanceTimersByTime(2 * pace.graceMs);
      const waiting = body.wait(Promise.resolve('more'));
      vi.advanceTimersByTime(pace.graceMs - 1);
      expect(await waiting).toBe('more');
      // What it waited counts.
      const late = body.wait(never);
      vi.advanceTimersByTime(1);
      await expect(late).rejects.toMatchObject({ status: 408 });
    } finally {
      vi.useRealTimers();
    }
  });
});
