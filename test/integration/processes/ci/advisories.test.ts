import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../support/docs/markdown.ts';

let server: Server | undefined;
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'cw-npm-cache-'));
});
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(cache, { recursive: true });
});

interface Advisory {
  readonly severity: 'moderate' | 'high' | 'critical';
  readonly title: string;
}
type Advisories = Readonly<Record<string, Advisory>>;

const KNOWN: Advisories = { minimist: { severity: 'critical', title: 'known since long' } };

/** A registry that knows advisories, about every version of a package; null: it refuses the question. */
async function startRegistry(advisories: Advisories | null): Promise<string> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      response.setHeader('content-type', 'application/json');
      if (advisories === null) {
        response.writeHead(403).end('{}');
      } else if (path.endsWith('/advisories/bulk')) {
        const sent = Buffer.concat(chunks);
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        const asked = Object.keys(JSON.parse(String(text)) as object);
        const known = Object.entries(advisories).filter(([name]) => asked.includes(name));
        const answer = known.map(([name, { severity, title }], index) => {
          const one = { id: index + 1, url: 'https://advisories.example', title, severity };
          return [name, [{ ...one, vulnerable_versions: '*', cwe: [], cvss: { score: 9 } }]];
        });
        response.end(JSON.stringify(Object.fromEntries(answer)));
      } else {
        const name = decodeURIComponent(path.slice(1));
        const versions = { '0.0.8': { name, version: '0.0.8' } };
        response.end(JSON.stringify({ name, versions, 'dist-tags': { latest: '0.0.8' } }));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

async function run(registry: string) {
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache };
  const child = spawn(process.execPath, [join(ROOT, '.ci/advisories.mjs')], { cwd: ROOT, env });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: said.trim().split('\n') };
}

describe('npm run advisories', () => {
  it.each([
    ['refuses the question', () => startRegistry(null), /NOT CHECKED, .*403/],
    ['does not answer', () => Promise.resolve('http://127.0.0.1:1/'), /NOT CHECKED/],
    ['knows no advisory at all', () => startRegistry({}), /NOT CHECKED, .* knows no advisory/],
  ])('says that nothing was checked where the registry %s', async (_what, start, line) => {
    const { code, said } = await run(await start());
    expect(said).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(0);
  });

  it('fails for a high advisory about what is shipped, and names the package', async () => {
    const fastify = { severity: 'high', title: 'reads too far' } as const;
    const { code, said } = await run(await startRegistry({ ...KNOWN, fastify }));
    expect(said).toContain('high: fastify: reads too far');
    expect(code).toBe(1);
  });

  it('passes where advisories are moderate, or about tools that are not shipped', async () => {
    const moderate = { severity: 'moderate', title: 'is slow' } as const;
    const high = { severity: 'high', title: 'reads too far' } as const;
    const registry = await startRegistry({ ...KNOWN, fastify: moderate, eslint: high });
    const { code, said } = await run(registry);
    expect(said).toEqual(['Advisories: 0 packages that are shipped have a high or critical one']);
    expect(code).toBe(0);
  });
});
