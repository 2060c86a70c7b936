import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankStand } from './bank-stand.ts';
import type { BankStand } from './bank-stand.ts';

let stand: BankStand;
beforeEach(async () => {
  stand = await startBankStand();
});
afterEach(() => stand.close());

describe('a bank that starts again on its journal', () => {
  it('knows every transfer, repeats its answers and moves nothing twice', async () => {
    const before = await (await stand.put('CW1', '10.00')).json();
    await stand.restart();
    const repeat = await stand.put('CW1', '10.00');
    expect(repeat.status).toBe(200);
    expect(await repeat.json()).toEqual(before);
    expect((await stand.put('CW1', '11.00')).status).toBe(409);
    expect(stand.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('makes the changes that were still to come', async () => {
    await stand.restart({ decideAfterMs: 600_000, returnAfterMs: 600_000 });
    await stand.put('CW1', '10.01');
    await stand.put('CW2', '10.02');
    await stand.restart();
    await expect
      .poll(() =>
        stand.receiver.accepted.map(({ body }) => [body.reference, body.status].join(' ')),
      )
      .toEqual(expect.arrayContaining(['CW1 REJECTED', 'CW2 RETURNED']));
    expect(stand.receiver.accepted).toHaveLength(2);
  });

  it('sends the callbacks that it still owes, under the same id', async () => {
    await stand.restart({
      callbacks: { triesMax: 3, firstRetryMs: 600_000, retryMaxMs: 600_000, timeoutMs: 2_000 },
    });
    stand.receiver.refuseNext(1);
    await stand.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => stand.receiver.refused).toHaveLength(1);
    await stand.restart();
    await expect.poll(() => stand.receiver.accepted).toHaveLength(1);
    expect(stand.receiver.accepted[0]?.id).toBe(stand.receiver.refused[0]);
  });

  it('does not repeat a callback that was taken', async () => {
    await stand.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => readFile(stand.journalFile, 'utf8')).toContain('CALLBACK_SENT');
    await stand.restart();
    await stand.put('CW2', '10.00', { rail: 'ACH' });
    await expect.poll(() => stand.receiver.accepted.at(-1)?.body.reference).toBe('CW2');
    expect(stand.receiver.accepted.map(({ body }) => body.reference)).toEqual(['CW1', 'CW2']);
  });

  it('cuts off a line that a killed process left unfinished', async () => {
    await stand.put('CW1', '10.00');
    const whole = await readFile(stand.journalFile, 'utf8');
    await appendFile(stand.journalFile, '{"fact":"EXECUTED","at":"2026-01-0');
    await stand.restart();
    expect(await readFile(stand.journalFile, 'utf8')).toBe(whole);
    expect((await stand.put('CW2', '10.00')).status).toBe(201);
    expect((await stand.put('CW1', '10.00')).status).toBe(200);
  });

  it('executes a transfer of which only the receipt reached the disk', async () => {
    await stand.put('CW1', '10.00');
    const [received = ''] = (await readFile(stand.journalFile, 'utf8')).split('\n');
    await writeFile(stand.journalFile, `${received}\n`);
    await stand.restart();
    await expect.poll(() => stand.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('refuses to start on a journal that is damaged before its end', async () => {
    await stand.put('CW1', '10.00');
    const whole = await readFile(stand.journalFile, 'utf8');
    await writeFile(stand.journalFile, `not a fact\n${whole}`);
    await expect(stand.restart()).rejects.toThrow(/damaged at byte 0/);
  });

  it('keeps no name, account number or remittance', async () => {
    await stand.put('CW1', '10.02');
    await expect.poll(() => stand.receiver.accepted).toHaveLength(1);
    const journal = await readFile(stand.journalFile, 'utf8');
    for (const planted of ['Ada', 'Sample', 'DE893704', 'Invoice']) {
      expect(journal).not.toContain(planted);
    }
  });
});
