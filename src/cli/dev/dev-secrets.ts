import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../embedded/data-folder.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../../modules/customers/api-key-token.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** What a local run must know again after a restart. Made at random, kept for the owner's eyes. */
export interface DevSecrets {
  readonly encryptionKeys: string;
  readonly pepper: string;
  readonly bankCallbackSecret: string;
  readonly liveBankCallbackSecret: string;
  readonly kycCallbackSecret: string;
  readonly liveKycCallbackSecret: string;
  readonly testApiKey: { readonly publicId: string; readonly secret: string };
  readonly liveApiKey: { readonly publicId: string; readonly secret: string };
}

/** Reads the secrets of a data folder, or makes them where it is new. */
export function keepSecrets(dataDir: string): DevSecrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, 'postgres'))) {
      throw new PlainError(
        `The data folder ${dataDir} has a database but no secrets.json to read it with. ` +
          'Remove the folder, or point DATA_DIR elsewhere.',
      );
    }
    writeAtomically(file, `${JSON.stringify(makeSecrets(), null, 2)}\n`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as DevSecrets;
}

function makeSecrets(): DevSecrets {
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
  const webhookSecret = () => `whsec_${base64(32)}`;
  const key = () => ({ publicId: base64(PUBLIC_ID_BYTES), secret: base64(SECRET_BYTES) });
  return {
    encryptionKeys: `1:${base64(32)}`,
    pepper: base64(32),
    bankCallbackSecret: webhookSecret(),
    liveBankCallbackSecret: webhookSecret(),
    kycCallbackSecret: webhookSecret(),
    liveKycCallbackSecret: webhookSecret(),
    testApiKey: key(),
    liveApiKey: key(),
  };
}
