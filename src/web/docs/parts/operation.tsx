import { ERRORS, type ErrorCode } from '../../../domain/errors/registry.ts';
import { renderSentence } from '../markdown.ts';
import type { ShownAnswer, ShownOperation } from '../reference/reference.ts';
import { sampleRequest } from '../samples/sample-request.ts';
import type { Site } from '../site-model.ts';
import { CodeSamples } from './code-samples.tsx';
import { Json } from './code.tsx';
import { FieldList, FieldTree } from './field-tree.tsx';
import { HtmlText } from './html.tsx';
import { TryOut } from './try-out.tsx';

/** One operation: what it takes and answers on the left, samples and a try on the right. */
export const OperationSection = (props: {
  readonly site: Site;
  readonly operation: ShownOperation;
}) => {
  const { site, operation } = props;
  return (
    <section class="operation" id={operation.id} aria-labelledby={`${operation.id}-title`}>
      <div class="operation-text">
        <h2 id={`${operation.id}-title`}>
          <a class="anchor" href={`#${operation.id}`}>
            {operation.summary}
          </a>
        </h2>
        <Route operation={operation} />
        {operation.description === '' ? null : (
          <p>
            <HtmlText html={renderSentence(operation.description, site.rules)} />
          </p>
        )}
        <Scope operation={operation} />
        <Takes {...props} />
        {operation.answers.map((answer) => (
          <AnswerFields key={answer.status} site={site} answer={answer} />
        ))}
        <Errors {...props} />
      </div>
      <div class="operation-code">
        <CodeSamples request={sampleRequest(operation)} apiUrl={site.apiUrl} />
        {operation.body?.others.map(({ title, value }, index) => (
          <details key={title} class="inner">
            <summary>{`Another body: ${title}`}</summary>
            <Json id={`${operation.id}-body-${String(index)}`} value={value} />
          </details>
        ))}
        <AnswerSample operation={operation} />
        {operation.tag === 'Provider callbacks' ? null : (
          <TryOut operation={operation} path={site.paths.at(operation.path)} />
        )}
      </div>
    </section>
  );
};

const Route = ({ operation }: { readonly operation: ShownOperation }) => (
  <p class="route">
    <span class={`verb verb-${operation.verb}`}>{operation.verb.toUpperCase()}</span>{' '}
    <code>{operation.path}</code>
  </p>
);

const Scope = ({ operation: { needsKey, scope } }: { readonly operation: ShownOperation }) => {
  if (!needsKey) return <p class="muted">Needs no API key.</p>;
  if (scope === null) return <p class="muted">Any API key will do.</p>;
  return (
    <p class="muted">
      Needs the scope <code>{scope}</code>.
    </p>
  );
};

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

const Takes = ({
  site,
  operation,
}: {
  readonly site: Site;
  readonly operation: ShownOperation;
}) => (
  <>
    {(['path', 'query', 'header'] as const).map((place) => {
      const fields = operation.parameters
        .filter((parameter) => parameter.place === place)
        .map(({ field }) => field);
      return fields.length === 0 ? null : (
        <div key={place}>
          <h3>{PLACES[place]}</h3>
          <FieldList fields={fields} rules={site.rules} />
        </div>
      );
    })}
    {operation.body === null ? null : (
      <div>
        <h3>Body</h3>
        <FieldTree groups={operation.body.groups} rules={site.rules} />
      </div>
    )}
  </>
);

const AnswerFields = ({ site, answer }: { readonly site: Site; readonly answer: ShownAnswer }) => (
  <div>
    <h3>
      Answer <code>{answer.status}</code>
    </h3>
    {answer.description === '' ? null : (
      <p>
        <HtmlText html={renderSentence(answer.description, site.rules)} />
      </p>
    )}
    {answer.groups.length === 0 ? null : (
      <details class="inner">
        <summary>
          Fields of the answer <code>{answer.status}</code>
        </summary>
        <FieldTree groups={answer.groups} rules={site.rules} />
      </details>
    )}
  </div>
);

const AnswerSample = ({ operation }: { readonly operation: ShownOperation }) => {
  const answer = operation.answers.find(({ sample }) => sample !== null);
  return answer === undefined ? null : (
    <div class="answer-sample">
      <p class="sample-title">
        Answer <code>{answer.status}</code>
      </p>
      <Json id={`${operation.id}-answer`} value={answer.sample} />
    </div>
  );
};

const Errors = ({
  site,
  operation,
}: {
  readonly site: Site;
  readonly operation: ShownOperation;
}) => {
  const isCommon = (code: ErrorCode) => site.commonErrors.includes(code);
  const own = operation.errors.filter((code) => !isCommon(code));
  const common = operation.errors.filter(isCommon);
  return (
    <div>
      <h3>Errors</h3>
      {own.length === 0 ? null : <ErrorList site={site} codes={own} />}
      {common.length === 0 ? null : (
        <details class="inner">
          <summary>{`${String(common.length)} that every request may get`}</summary>
          <ErrorList site={site} codes={common} />
        </details>
      )}
    </div>
  );
};

const ErrorList = ({
  site,
  codes,
}: {
  readonly site: Site;
  readonly codes: readonly ErrorCode[];
}) => (
  <ul class="error-list">
    {codes.map((code) => (
      <li key={code}>
        <span class="status">{ERRORS[code].status}</span>{' '}
        <a href={site.paths.error(code)}>
          <code>{code}</code>
        </a>
        <p class="muted">{ERRORS[code].description}</p>
      </li>
    ))}
  </ul>
);
