/** Text to be run or copied. The button appears where the script is there to serve it. */
export const CodeBlock = (props: { readonly id: string; readonly text: string }) => (
  <div class="code">
    <pre id={props.id} tabIndex={0}>
      <code>{props.text}</code>
    </pre>
    <button type="button" class="button button-plain" data-copy={props.id} hidden>
      Copy
    </button>
  </div>
);
