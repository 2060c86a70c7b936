import type { ShownOperation, ShownParameter } from '../reference/reference.ts';
import { isIdempotencyKey } from '../samples/sample-request.ts';

/**
 * A form that sends the operation with a test key, from the page itself. The script shows and serves it; a form of
 * the browser's own would put the key into an address, and the pages' policy lets none be sent.
 */
export const TryOut = (props: { readonly operation: ShownOperation; readonly path: string }) => {
  const { id, verb, parameters, body, needsKey, summary } = props.operation;
  return (
    <details class="try" data-try hidden>
      <summary>Try it</summary>
      <form method="post" data-verb={verb} data-path={props.path} aria-label={`Try: ${summary}`}>
        {needsKey ? <KeyField id={id} /> : null}
        {parameters.map((parameter) => (
          <ParameterField key={parameter.field.name} id={id} parameter={parameter} />
        ))}
        {body === null ? null : (
          <div class="field">
            <label for={`${id}-body`}>Body</label>
            <textarea
              id={`${id}-body`}
              class="input"
              name="body"
              rows={Math.min(JSON.stringify(body.sample, null, 2).split('\n').length + 1, 16)}
              spellcheck={false}
            >
              {JSON.stringify(body.sample, null, 2)}
            </textarea>
          </div>
        )}
        <button type="submit" class="button">
          Send
        </button>
        <div class="tried" role="status" data-tried />
      </form>
    </details>
  );
};

const KeyField = ({ id }: { readonly id: string }) => (
  <div class="field">
    <label for={`${id}-key`}>Test key</label>
    <input
      id={`${id}-key`}
      class="input"
      type="password"
      name="key"
      placeholder="cw_test_..."
      autocomplete="off"
      spellcheck={false}
      aria-describedby={`${id}-key-hint`}
    />
    <p id={`${id}-key-hint`} class="field-hint">
      Kept in this tab until you close it. A live key is not taken.
    </p>
  </div>
);

const ParameterField = (props: { readonly id: string; readonly parameter: ShownParameter }) => {
  const { field, place, sample } = props.parameter;
  const id = `${props.id}-${place}-${field.name}`;
  const hint = isIdempotencyKey(props.parameter) ? 'Made anew for each request.' : '';
  const common = {
    id,
    class: 'input',
    name: field.name,
    'data-place': place,
    required: field.presence === 'required' && hint === '',
  };
  return (
    <div class="field">
      <label for={id}>
        <code>{field.name}</code>
        {field.presence === 'required' ? null : <span class="muted"> (optional)</span>}
      </label>
      {field.values.length > 0 && place === 'query' ? (
        <select {...common}>
          <option value="" />
          {field.values.map((value) => (
            <option key={value}>{String(JSON.parse(value))}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          placeholder={hint === '' ? sample : ''}
          autocomplete="off"
          spellcheck={false}
          {...(hint === '' ? {} : { 'data-unique': '', 'aria-describedby': `${id}-hint` })}
        />
      )}
      {hint === '' ? null : (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
};
