import { Gate } from '../parts/gate.tsx';

/**
 * Why a request was not done. It says nothing of the address that was asked for, nor of who asked. `home` is
 * the first page of the site; null where it has none.
 */
export const refusalPage = (title: string, text: string, home: string | null = '/') => ({
  title,
  body: (
    <Gate home={home}>
      <h1>{title}</h1>
      <p class="muted">{text}</p>
      {home === null ? null : (
        <p>
          <a href={home}>Go to the home page</a>
        </p>
      )}
    </Gate>
  ),
});
