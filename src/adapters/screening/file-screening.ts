import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import {
  createNameList,
  prepareNameList,
  type NameList,
} from '../../domain/parties/screening/name-list.ts';
import {
  ScreeningError,
  type ScreeningProvider,
  type ScreeningResult,
  type ScreeningSubject,
} from '../../domain/parties/screening/screening-provider.ts';
import { readList } from './list-file.ts';

interface FileScreeningOptions {
  /** The file of names. */
  readonly path: string;
  readonly thresholdPercent: number;
  readonly clock: Clock;
  /** Told of a file that has changed and cannot be used: the list before stays. */
  readonly onUnusable: (error: unknown) => void;
}

/** The file is looked at no more often than this. */
const LOOK_EVERY_MS = 1_000;
/** Larger than every published list; a file is held in memory. */
const BYTES_MAX = 256 * 1024 * 1024;

interface Loaded {
  readonly version: string;
  readonly names: NameList;
  /** Tells whether the file is another one. */
  readonly mark: string;
}

/**
 * Screens with a file of names, which is read again when it has changed. Throws where the file cannot be
 * used at the start; later look-ups go on by the list before, and no version is told.
 */
export function createFileScreening(options: FileScreeningOptions): ScreeningProvider {
  const { path, thresholdPercent, clock, onUnusable } = options;
  const mark = markOf(path);
  let loaded: Loaded = load(path, mark);
  let lookedAt = clock.now().getTime();
  /** Of the file that is there now, if it cannot be used. */
  let unusableMark = '';
  let reload: Promise<void> | null = null;

  /** Reads the file where it has changed. Meanwhile, and where it cannot be used, the one before serves. */
  async function lookAtFile(): Promise<void> {
    const now = clock.now().getTime();
    if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return;
    lookedAt = now;
    let found = 'missing';
    try {
      found = markOf(path);
      if (found === unusableMark) return;
      if (found !== loaded.mark) loaded = await loadInTurns(path, found);
      unusableMark = '';
    } catch (error) {
      // Once for each such file.
      if (found !== unusableMark) onUnusable(error);
      unusableMark = found;
    }
  }
  function refresh(): Promise<void> {
    reload ??= lookAtFile().finally(() => {
      reload = null;
    });
    return reload;
  }
  function lookUp(subjects: readonly ScreeningSubject[]): ScreeningResult {
    const { version, names } = loaded;
    return { listVersion: version, hits: names.screen(subjects, thresholdPercent) };
  }

  return {
    async listVersion() {
      await refresh();
      // Another process may have read it, or have an older one: none of them is put in force over it.
      if (unusableMark !== '') throw new ScreeningError('SCREENING_LIST_UNUSABLE');
      return loaded.version;
    },
    async screen(subjects) {
      await refresh();
      return lookUp(subjects);
    },
    screenNow(subjects) {
      void refresh();
      return lookUp(subjects);
    },
    maxAgeMs: null,
  };
}

/** `mark` was taken before the file is read: what is written meanwhile then makes it another one. */
function load(path: string, mark: string): Loaded {
  const { version, entries } = readList(readFileSync(path));
  return { version, mark, names: createNameList(entries) };
}

/** The same without keeping a process that answers requests from its work. */
async function loadInTurns(path: string, mark: string): Promise<Loaded> {
  const { version, entries } = readList(await readFile(path));
  const work = prepareNameList(entries);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return { version, mark, names: value };
    await nextTurn();
  }
}

function markOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  if (size > BYTES_MAX) throw new RangeError('The list of names is larger than 256 MiB.');
  return `${String(mtimeMs)}/${String(size)}/${String(ino)}`;
}
