import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { fixture } from '../../../support/adapters/iso20022/statement-reading.ts';

// The schemas are not ours to hand on: a developer who has them from iso20022.org names their folder.
const schemaFolder = process.env['ISO20022_XSD_DIR'] ?? '';
const skipped = existsSync(schemaFolder) ? '' : ' (SKIPPED: ISO20022_XSD_DIR is not set)';

describe(`the fixtures keep to the ISO 20022 schemas${skipped}`, () => {
  it.skipIf(skipped !== '').each([
    ['german-v02.xml', 'camt.053.001.02.xsd'],
    ['swiss-v04.xml', 'camt.053.001.04.xsd'],
    ['prefixed-v08.xml', 'camt.053.001.08.xsd'],
    ['written-v08.xml', 'camt.053.001.08.xsd'],
  ])(`%s by %s${skipped}`, async (name, schemaName) => {
    const result = await validateXML({
      xml: [{ fileName: name, contents: fixture(name).toString('utf8') }],
      schema: [readFileSync(join(schemaFolder, schemaName), 'utf8')],
    });
    expect(result.errors).toEqual([]);
    expect(result.valid).toBe(true);
  });
});
