import { renderSentence, type LinkRules } from '../markdown.ts';
import type { Field, FieldGroup } from '../reference/field-tree.ts';
import { HtmlText } from './html.tsx';

/** The fields of a body, each with what is in it behind a disclosure. */
export const FieldTree = (props: {
  readonly groups: readonly FieldGroup[];
  readonly rules: LinkRules;
}) => (
  <>
    {props.groups.map(({ title, fields }) => (
      <div key={title} class="field-group">
        {title === '' ? null : <p class="variant">{title}</p>}
        <FieldList fields={fields} rules={props.rules} />
      </div>
    ))}
  </>
);

export const FieldList = (props: {
  readonly fields: readonly Field[];
  readonly rules: LinkRules;
}) => (
  <ul class="fields">
    {props.fields.map((field) => (
      <li key={field.name}>
        <FieldRow field={field} rules={props.rules} />
      </li>
    ))}
  </ul>
);

const FieldRow = ({ field, rules }: { readonly field: Field; readonly rules: LinkRules }) => (
  <>
    <p class="field-head">
      <code class="field-name">{field.name}</code> <span class="field-type">{field.type}</span>{' '}
      {field.presence === 'optional' ? null : (
        <span class={field.presence === 'required' ? 'field-must' : 'field-at-times'}>
          {field.presence === 'required' ? 'required' : 'required in some cases'}
        </span>
      )}
    </p>
    {field.description === '' ? null : (
      <p>
        <HtmlText html={renderSentence(field.description, rules)} />
      </p>
    )}
    {field.limits.length === 0 ? null : <p class="field-limits">{field.limits.join(' · ')}</p>}
    {field.values.length === 0 ? null : <Values values={field.values} />}
    {field.groups.length === 0 ? null : (
      <details class="inner">
        <summary>
          {`Fields of `}
          <code>{field.name}</code>
        </summary>
        <FieldTree groups={field.groups} rules={rules} />
      </details>
    )}
  </>
);

/** So many are shown at once; the rest behind a disclosure. */
const VALUES_SHOWN_MAX = 12;

const Values = ({ values }: { readonly values: readonly string[] }) => {
  const list = (
    <span class="values">
      {values.map((value) => (
        <code key={value}>{value}</code>
      ))}
    </span>
  );
  if (values.length <= VALUES_SHOWN_MAX) return <p>{list}</p>;
  return (
    <details class="inner">
      <summary>{`${String(values.length)} values`}</summary>
      {list}
    </details>
  );
};
