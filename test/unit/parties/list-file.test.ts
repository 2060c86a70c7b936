import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScreeningError } from '../../../src/domain/parties/screening/screening-provider.ts';
import { createFileScreening } from '../../../src/adapters/screening/file-screening.ts';
import { readList } from '../../../src/adapters/screening/list-file.ts';

const entry = (more: object = {}) => ({
  ...{ id: 'one', kind: 'PERSON', names: ['Sam Sanctioned'] },
  ...more,
});
const bytesOf = (...entries: object[]) => Buffer.from(JSON.stringify({ entries }));

describe('a list that cannot be used is refused, without a name in the message', () => {
  it.each([
    ['no JSON', Buffer.from('{"entries": [')],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['no entry', bytesOf()],
    ['no name', bytesOf(entry({ names: [] }))],
    ['an unknown kind', bytesOf(entry({ kind: 'SHIP' }))],
    ['an id twice', bytesOf(entry(), entry())],
    ['no date', bytesOf(entry({ dateOfBirth: 'about 1970' }))],
    ['another shape', Buffer.from('[]')],
  ])('%s', (_what, bytes) => {
    expect(() => readList(bytes)).toThrow();
    try {
      readList(bytes);
    } catch (error) {
      expect((error as Error).message).not.toContain('Sanctioned');
    }
  });
});

it('the version is that of the bytes', () => {
  const version = readList(bytesOf(entry())).version;
  expect(version).toBe(readList(bytesOf(entry())).version);
  expect(version).not.toBe(readList(bytesOf(entry({ names: ['Sam Other'] }))).version);
});

describe('a file that changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const path = join(folder, 'list.json');
  let now = 0;
  const unusable: unknown[] = [];
  let screening: ReturnType<typeof createFileScreening>;
  beforeAll(() => {
    writeFileSync(path, bytesOf(entry()));
    screening = createFileScreening({
      ...{ path, thresholdPercent: 88, clock: { now: () => new Date((now += 10_000)) } },
      onUnusable: (error) => unusable.push(error),
    });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const hits = async (name: string) =>
    (await screening.screen([{ reference: 'r', kind: 'PERSON', names: [name] }])).hits.length;

  it('is read again, with another version', async () => {
    const before = await screening.listVersion();
    expect(await hits('Ada Listed')).toBe(0);
    writeFileSync(path, bytesOf(entry(), entry({ id: 'two', names: ['Ada Listed'] })));
    expect(await screening.listVersion()).not.toBe(before);
    expect(await hits('Ada Listed')).toBe(1);
    expect(screening.screenNow?.([]).listVersion).toBe(await screening.listVersion());
  });

  it('is told once while it cannot be used: no version, and look-ups by the list before', async () => {
    const before = await screening.listVersion();
    const unusableOnes = [() => writeFileSync(path, '{"entries": ['), () => rmSync(path)];
    for (const [nth, spoil] of unusableOnes.entries()) {
      spoil();
      for (let look = 0; look < 3; look += 1) {
        await expect(screening.listVersion()).rejects.toBeInstanceOf(ScreeningError);
      }
      expect(unusable).toHaveLength(nth + 1);
      expect(await hits('Ada Listed')).toBe(1);
      expect(screening.screenNow?.([]).listVersion).toBe(before);
      // The look that this began is over before the file is another one.
      await hits('Ada Listed');
    }
    writeFileSync(path, bytesOf(entry()));
    expect(await screening.listVersion()).not.toBe(before);
  });

  it('that is put back as it was after one that cannot be used is in use again', async () => {
    const before = await screening.listVersion();
    renameSync(path, `${path}.kept`);
    await expect(screening.listVersion()).rejects.toBeInstanceOf(ScreeningError);
    renameSync(`${path}.kept`, path);
    expect(await screening.listVersion()).toBe(before);
  });

  it('ends a start that finds it unusable', () => {
    const options = { thresholdPercent: 88, clock: { now: () => new Date(0) } };
    const none = { ...options, path: join(folder, 'none.json'), onUnusable: () => undefined };
    expect(() => createFileScreening(none)).toThrow();
  });
});
