import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../src/domain/errors/registry.ts';
import { renderErrorsReference } from '../../../src/web/docs/errors-reference.ts';
import { ROOT } from '../../support/docs/markdown.ts';

const read = (name: string) => readFileSync(join(ROOT, 'docs/reference', name), 'utf8');

describe('docs/reference/errors.md', () => {
  it('lists every code of the registry', () => {
    const page = read('errors.md');
    expect(renderErrorsReference(page)).toBe(page);
    for (const code of ERROR_CODES) expect(page).toContain(`### ${code}\n`);
  });
});

describe('docs/reference/idempotency.md', () => {
  it('has one row for each 409 of POST /payments', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, { post?: { responses: Record<string, unknown> } }>;
    };
    const answer = JSON.stringify(paths['/api/v1/payments']?.post?.responses['409']);
    const answered = ERROR_CODES.filter((code) => answer.includes(`"${code}"`));
    const [, section = ''] = read('idempotency.md').split('### 409 from `POST /payments`');
    const rows = [...(section.split('\n### ')[0] ?? '').matchAll(/^\| `(\w+)`/gm)];
    expect(rows.map(([, code]) => code).sort()).toEqual([...answered].sort());
    expect(answered.map((code) => ERRORS[code].status)).toEqual(answered.map(() => 409));
  });
});
