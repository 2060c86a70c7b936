import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';
import { startEncryptingKms, type EncryptingKms } from '../../../support/kms/encrypting-kms.ts';
import { SAMPLE_KEYS, sampleKey } from '../../../support/sample-secrets.ts';

const run = promisify(execFile);
const SRC = join(import.meta.dirname, '../../../../src');

let kms: EncryptingKms;
beforeAll(async () => {
  kms = await startEncryptingKms();
  kms.mood = 'DENIED';
});
afterAll(() => kms.close());

it.concurrent.each([['server/processes/api.ts'], ['cli/ops.ts', 'secrets', 'status']])(
  '%s ends where AWS KMS does not decrypt its keys, and says which',
  async (program, ...args) => {
    const encrypted = kms.encrypt(Buffer.from(sampleKey('encryption'), 'base64'), {});
    const env = {
      ...{ PATH: process.env['PATH'], AWS_CONFIG_FILE: '/nonexistent', AWS_REGION: 'eu-central-1' },
      ...{ AWS_ACCESS_KEY_ID: 'AKIASAMPLE', AWS_SECRET_ACCESS_KEY: 'planted-secret-of-aws' },
      ...{ ...SAMPLE_KEYS, AWS_ENDPOINT_URL_KMS: kms.url, ENCRYPTION_KEYS: `1:kms:${encrypted}` },
      ...{ DATABASE_URL: 'postgres://sample@127.0.0.1:9/none', TEMPORAL_ADDRESS: '127.0.0.1:9' },
    };
    const ended = run(process.execPath, [...programArguments(join(SRC, program)), ...args], {
      env,
    });
    const failed = (await ended.catch((error: unknown) => error)) as Record<string, unknown>;
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed['stderr']).toContain(
      'The settings cannot be used:\n' +
        '- ENCRYPTION_KEYS: AWS KMS did not decrypt key 1: AccessDeniedException\n',
    );
    expect(failed['stderr']).not.toContain(encrypted);
  },
);
