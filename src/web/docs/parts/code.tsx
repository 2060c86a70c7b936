import { highlight } from '../highlight.ts';

/** A block of code, highlighted, with a button that copies it where the script is there to serve it. */
export const Code = (props: {
  readonly id: string;
  readonly text: string;
  readonly language: string;
}) => (
  <div class="code">
    <pre id={props.id} tabIndex={0}>
      <code dangerouslySetInnerHTML={{ __html: highlight(props.text, props.language) }} />
    </pre>
    <button type="button" class="button button-plain" data-copy={props.id} hidden>
      Copy
    </button>
  </div>
);

/** A value as indented JSON. */
export const Json = ({ id, value }: { readonly id: string; readonly value: unknown }) => (
  <Code id={id} text={JSON.stringify(value, null, 2)} language="json" />
);
