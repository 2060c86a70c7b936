import { FIELD_CODE_NAMES, FIELD_CODES } from '../../../domain/errors/problem-codes.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../domain/errors/registry.ts';
import { ERROR_ADVICE } from '../error-advice.ts';
import { renderSentence } from '../markdown.ts';
import { Json } from '../parts/code.tsx';
import { HtmlText } from '../parts/html.tsx';
import type { Page, Site } from '../site-model.ts';

const SAMPLE = {
  error: 'validation_failed',
  message: 'The request is not valid. `details` lists the fields to correct.',
  details: [{ path: '/amount', code: 'validation_failed', message: 'This field is required.' }],
  requestId: 'req_01m7y71hgpfev8ndmvhv6d8376',
};

/** Every code of the registry, each with an anchor of its own. */
export const errorsPage = (site: Site): Page => ({
  title: 'Errors',
  description: 'Every error code: its status, whether it may be sent again, and what to do.',
  body: (
    <div class="reference">
      <div class="reference-head">
        <h1>Errors</h1>
        <p class="lead">
          Every error has the same four fields. Switch on <code>error</code>: codes stay;{' '}
          <code>message</code> is for developers and may change. <code>details</code> names every
          problem at once, by a JSON pointer into the body or by the place of a parameter. The{' '}
          <code>code</code> of a problem is one of the errors here or one of{' '}
          <a href="#codes-of-details">those of details alone</a>.
        </p>
      </div>
      <div class="operation">
        <div class="operation-text">
          <h2>What to send again</h2>
          <ul class="plain">
            <li>
              <b>No answer, or a status of 5xx:</b> the request may have been done. Send the same
              with the same <code>Idempotency-Key</code>: it is done once. See{' '}
              <a href={site.paths.guide('idempotency')}>Idempotency</a>.
            </li>
            <li>
              <b>429:</b> nothing was done. Wait for the seconds of <code>Retry-After</code>.
            </li>
            <li>
              <b>
                422 <code>idempotency_key_mismatch</code>:
              </b>{' '}
              the key belongs to another request and stays with it.
            </li>
            <li>
              <b>Any other 4xx:</b> this request did nothing and bound no key. Remove the cause
              first, unless the code says to wait and send again. An earlier one whose answer was
              lost may have been done all the same.
            </li>
          </ul>
          <p>
            Every answer has an <code>X-Request-Id</code>: name it when you ask the operators of the
            service.
          </p>
        </div>
        <div class="operation-code">
          <div class="answer-sample">
            <p class="sample-title">
              Answer <code>400</code>
            </p>
            <Json id="error-sample" value={SAMPLE} />
          </div>
        </div>
      </div>
      {statuses().map((status) => (
        <section key={status} class="codes" aria-labelledby={`status-${String(status)}`}>
          <h2 id={`status-${String(status)}`}>{`${String(status)} ${NAMES[status] ?? ''}`}</h2>
          <ul>
            {ERROR_CODES.filter((code) => ERRORS[code].status === status).map((code) => (
              <CodeEntry key={code} site={site} code={code} />
            ))}
          </ul>
        </section>
      ))}
      <FieldCodes />
    </div>
  ),
});

/** What `details[].code` may be besides the code of an error. */
const FieldCodes = () => (
  <section class="codes" aria-labelledby="codes-of-details">
    <h2 id="codes-of-details">Codes of details alone</h2>
    <p>
      They say what is wrong with the field that <code>path</code> names, and are never the{' '}
      <code>error</code> of an answer. More may come.
    </p>
    <ul>
      {FIELD_CODE_NAMES.map((code) => (
        <li key={code} id={code}>
          <p class="code-head">
            <a class="anchor" href={`#${code}`}>
              <code>{code}</code>
            </a>
          </p>
          <p>{FIELD_CODES[code]}</p>
        </li>
      ))}
    </ul>
  </section>
);

const CodeEntry = ({ site, code }: { readonly site: Site; readonly code: ErrorCode }) => {
  const { retryable, description } = ERRORS[code];
  const operations = site.tags
    .flatMap((tag) => tag.operations)
    .filter(({ errors }) => errors.includes(code));
  return (
    <li id={code}>
      <p class="code-head">
        <a class="anchor" href={`#${code}`}>
          <code>{code}</code>
        </a>{' '}
        <span class={retryable ? 'chip chip-moving' : 'chip'}>
          {retryable ? 'wait and send again' : 'remove the cause first'}
        </span>
      </p>
      <p>{description}</p>
      <p class="advice">
        <HtmlText html={renderSentence(ERROR_ADVICE[code], site.rules)} />
      </p>
      {site.commonErrors.includes(code) || operations.length === 0 ? null : (
        <details class="inner">
          <summary>
            {`${String(operations.length)} ${operations.length === 1 ? 'request answers' : 'requests answer'} with `}
            <code>{code}</code>
          </summary>
          <ul class="plain">
            {operations.map((operation) => (
              <li key={operation.id}>
                <a href={site.paths.operation(operation)}>{operation.summary}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
};

const statuses = (): readonly number[] => [
  ...new Set(ERROR_CODES.map((code): number => ERRORS[code].status)),
];

/** As RFC 9110 and RFC 6585 call them. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
