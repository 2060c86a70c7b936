import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Where a chain is kept over restarts. */
interface ChainFile {
  /** The genesis block's time in seconds since 1970, chosen once: it makes two chains differ. */
  readonly genesisSeconds: number;
  /** What was saved last; null for a chain that is new. */
  readonly stateFile: string | null;
  /** @param dump what `anvil_dumpState` gives: hex of gzipped JSON. */
  save(dump: string): void;
}

/** @param folder null keeps nothing. */
export function openChainFile(folder: string | null, network: string, now: Date): ChainFile {
  const nowSeconds = Math.floor(now.getTime() / 1_000);
  if (folder === null) return { genesisSeconds: nowSeconds, stateFile: null, save: () => {} };
  mkdirSync(folder, { recursive: true });
  const genesisFile = join(folder, `${network}.genesis`);
  const stateFile = join(folder, `${network}.json`);
  const hasState = existsSync(stateFile) && existsSync(genesisFile);
  if (!hasState) writeFileSync(genesisFile, `${String(nowSeconds)}\n`);
  return {
    genesisSeconds: Number(readFileSync(genesisFile, 'utf8')),
    stateFile: hasState ? stateFile : null,
    save(dump) {
      const json = gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8');
      const half = `${stateFile}.new`;
      writeFileSync(half, json);
      renameSync(half, stateFile);
    },
  };
}
