import type { LogLevel } from 'fastify';
import type { KycUploadProblem } from '../../../../modules/parties/kyc/keep-kyc-upload.ts';
import { keepKycUpload } from '../../../../modules/parties/kyc/keep-kyc-upload.ts';
import type { FieldProblem } from '../../../../web/kit/forms/form-rules.ts';
import { tooMuch } from '../../../../web/kit/page-refusal.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { createLeasedBuckets } from '../../../leased-buckets.ts';
import { pageOf, pageSchema } from './page-look-up.ts';
import { DOCUMENT_NAMES } from './pages/document-names.ts';
import { readFiles, type SentFile } from './read-files.ts';
import { kycPath, sendKycPageAgain } from './send-kyc-page.tsx';
import { createUploadSlots } from './upload-slots.ts';

/** Files of one check: thirty at once, one more every twenty seconds. */
const FILES = { perSecond: 0.05, burst: 30 };
const BUCKETS_MAX = 10_000;

const TEXTS: Readonly<Record<Exclude<KycUploadProblem, 'NOT_ASKED'>, string>> = {
  EMPTY: 'this file is empty. Choose another one.',
  TOO_LARGE: 'this file is larger than 10 MB. Choose a smaller one.',
  WRONG_CONTENT:
    'this is no picture (JPEG or PNG) or PDF that we can accept, or it is damaged. Take a new photo, or choose another file.',
  HARMFUL: 'this file contains malware. Choose another one.',
  NOT_SCANNED: 'this file could not be checked for malware. Try again in a few minutes.',
  TOO_MANY: 'you have given as many documents as can be sent. Remove one first.',
  SAME_AS_BEFORE: 'you have sent this very file before. Take a new photo, or choose another file.',
};

/** The level of a log, or the one below which the reader of forms writes a request's headers to it. */
const withoutHeaders = (level: string) =>
  ['trace', 'debug'].includes(level) ? 'info' : (level as LogLevel);

/** POST /kyc/:token/documents: files as multipart/form-data, each under the name of its type. */
export function uploadDocuments(app: App, deps: HttpDeps): void {
  const slots = createUploadSlots();
  const buckets = createLeasedBuckets({ db: deps.db, log: app.log, namesMax: BUCKETS_MAX });
  app.addHook('onClose', () => buckets.stop());

  app.post<{ Params: { token: string } }>(
    '/kyc/:token/documents',
    {
      config: { public: true, takesFiles: true },
      logLevel: withoutHeaders(app.log.level),
      schema: pageSchema,
    },
    async (request, reply) => {
      const page = pageOf(request);
      const { token } = request.params;
      const problems: FieldProblem[] = [];
      let kept = 0;

      async function keep({ type, bytes }: SentFile): Promise<void> {
        const bucket = await buckets.take(`kyc-page/${page.check.id}`, FILES);
        if (!bucket.isGranted) throw tooMuch(bucket.resetSeconds);
        const problem =
          bytes === null
            ? 'TOO_LARGE'
            : await slots.keep(page.ref.environment, () =>
                keepKycUpload(deps, page, token, { type, bytes }),
              );
        kept += 1;
        if (problem === null || problem === 'NOT_ASKED') return;
        problems.push({ field: type, message: `${DOCUMENT_NAMES[type]}: ${TEXTS[problem]}` });
      }

      await slots.read({ ...page.ref, kycCheckId: page.check.id }, async () => {
        for await (const file of readFiles(request)) await keep(file);
      });
      if (kept === 0) problems.push({ field: 'documents', message: 'Choose a file first.' });
      if (problems.length > 0) return sendKycPageAgain(deps, request, reply, problems);
      return reply.redirect(kycPath(deps, token), 303);
    },
  );
}
