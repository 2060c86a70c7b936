import { statSync } from 'node:fs';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import type { Clock } from '../../domain/clock.ts';
import { readOperatorKeysFile, type OperatorKeysFile } from '../config/operator-keys-config.ts';
import { ConfigError } from '../config/settings.ts';

/** Who hears what becomes of the file. */
export interface KeysListener {
  readonly clock: Clock;
  /** Told of a changed file that is in use now. */
  readonly onRead: (file: OperatorKeysFile) => void;
  /** Told of a changed file that cannot be used, and why: the keys before it stay. */
  readonly onUnusable: (why: string) => void;
}

interface WatchedFile extends KeysListener {
  readonly path: string;
  readonly keysOf: (file: OperatorKeysFile, version: number) => OperatorKeys;
}

/** The file is looked at no more often than this. */
const LOOK_EVERY_MS = 1_000;

/**
 * The keys of a file, which is read again when it has changed. Throws ConfigError where the file cannot be used at the
 * start; later the keys before it stay.
 */
export function watchOperatorKeys(watched: WatchedFile): OperatorKeys {
  const { path, clock, keysOf, onRead, onUnusable } = watched;
  // Taken before the file is read: what is written meanwhile then makes it another one.
  let mark = markOf(path);
  const first = readOperatorKeysFile(path);
  if ('problem' in first) throw new ConfigError([first.problem]);
  const { origin } = first.file;
  let keys = keysOf(first.file, 1);
  let lookedAt = clock.now().getTime();
  /** Of the file that is there now, if it cannot be used. */
  let unusableMark = '';

  function latest(): OperatorKeys {
    const now = clock.now().getTime();
    if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return keys;
    lookedAt = now;
    const found = markOf(path);
    if (found === mark || found === unusableMark) return keys;
    const read = readOfOrigin(path, origin);
    if ('problem' in read) {
      // Once for each such file: it is read again once it is another one.
      onUnusable(read.problem);
      unusableMark = found;
      return keys;
    }
    mark = found;
    unusableMark = '';
    keys = keysOf(read.file, keys.version + 1);
    onRead(read.file);
    return keys;
  }

  return {
    ...{ origin, sign: null },
    get version() {
      return latest().version;
    },
    find: (operatorId, credentialId) => latest().find(operatorId, credentialId),
    fileKeysOf: (operatorId) => latest().fileKeysOf(operatorId),
    isFromBefore: (approval) => latest().isFromBefore(approval),
  };
}

/** The console serves its pages at the origin that it started with. */
function readOfOrigin(path: string, origin: string): ReturnType<typeof readOperatorKeysFile> {
  const read = readOperatorKeysFile(path);
  if ('problem' in read || read.file.origin === origin) return read;
  return { problem: 'OPERATOR_KEYS_FILE has another origin, which takes a restart' };
}

/** Tells whether the file is another one, also behind a symbolic link. */
function markOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join('/');
  } catch {
    return 'missing';
  }
}
