/** Ways on through a list. Nothing where all of it is shown. */
export const Pager = (props: { readonly older: string | null; readonly newest: string | null }) =>
  props.older === null && props.newest === null ? null : (
    <nav class="pager" aria-label="Pages of the list">
      {props.newest === null ? null : (
        <a class="button button-plain" href={props.newest}>
          Newest
        </a>
      )}
      {props.older === null ? null : (
        <a class="button button-plain" href={props.older}>
          Older
        </a>
      )}
    </nav>
  );
