/**
 * Text to be run or copied. The button appears where the script is there to serve it. What is one long word, as a hash
 * is, wraps; other text scrolls by itself and takes focus, so that the keyboard can move it.
 */
export const CodeBlock = (props: {
  readonly id: string;
  readonly text: string;
  readonly isWord?: boolean;
}) => (
  <div class={props.isWord === true ? 'code code-word' : 'code'}>
    <pre id={props.id} tabIndex={props.isWord === true ? undefined : 0}>
      <code>{props.text}</code>
    </pre>
    <button type="button" class="button button-plain" data-copy={props.id} hidden>
      Copy
    </button>
  </div>
);
