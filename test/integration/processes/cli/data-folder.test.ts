import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../../src/cli/embedded/data-folder.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { startMarkOf } from '../../../../src/cli/embedded/process-facts.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'cw-folder-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('the lock of a data folder', () => {
  it('a second start on the same folder is refused and told which process holds it', () => {
    const folder = openDataFolder(path);
    expect(() => openDataFolder(path)).toThrow(PlainError);
    expect(() => openDataFolder(path)).toThrow(new RegExp(`process ${process.pid}.*DATA_DIR`));
    folder.release();
    openDataFolder(path).release();
    expect(readdirSync(path)).toEqual([]);
  });

  it('a link to the folder leads to the same path: what a killed run left is known by it', () => {
    const link = `${path}.link`;
    symlinkSync(path, link);
    try {
      const folder = openDataFolder(link);
      expect(folder.path).toBe(realpathSync(path));
      folder.release();
    } finally {
      rmSync(link);
    }
  });

  it('the lock of a dead process is taken over', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(path, 'lock'), JSON.stringify({ pid, startMark: '1' }));
    openDataFolder(path);
    expect(JSON.parse(readFileSync(join(path, 'lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
    });
    expect(readdirSync(path)).toEqual(['lock']);
  });

  it('a lock whose process id was given to another program is taken over', () => {
    expect(startMarkOf(process.ppid)).not.toBeNull();
    writeFileSync(join(path, 'lock'), JSON.stringify({ pid: process.ppid, startMark: 'long ago' }));
    expect(() => openDataFolder(path)).not.toThrow();
  });

  it('a lock that was cut off while being written is taken over', () => {
    writeFileSync(join(path, 'lock'), '');
    expect(() => openDataFolder(path)).not.toThrow();
  });

  it('giving a folder free never removes the lock of a later holder', () => {
    const folder = openDataFolder(path);
    writeFileSync(join(path, 'lock'), 'of another process');
    folder.release();
    expect(readFileSync(join(path, 'lock'), 'utf8')).toBe('of another process');
  });
});

describe('state.json', () => {
  const file = (): string => join(path, 'state.json');

  it('is replaced as a whole: who has the old one open reads all of it', () => {
    const folder = openDataFolder(path);
    folder.writeState({ run: 1 });
    const old = openSync(file(), 'r');
    folder.writeState({ run: 2 });
    expect(JSON.parse(readFileSync(old, 'utf8'))).toEqual({ run: 1 });
    closeSync(old);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ run: 2 });
    expect(readdirSync(path).sort()).toEqual(['lock', 'state.json']);
  });

  it('is readable by its owner only', () => {
    const folder = openDataFolder(path);
    folder.writeState({ testApiKey: 'fake' });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('goes away on stop, and what a killed run left goes away on start', () => {
    const folder = openDataFolder(path);
    folder.writeState({});
    folder.release();
    expect(readdirSync(path)).toEqual([]);
    writeFileSync(file(), '{}');
    openDataFolder(path);
    expect(readdirSync(path)).toEqual(['lock']);
  });
});
