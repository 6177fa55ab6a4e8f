import { render } from 'preact';
import { followed, useAddress } from './address.ts';
import { SessionList } from './list/session-list.tsx';
import { SessionPage } from './session/session-page.tsx';

function Page() {
  const { key, message, query } = useAddress();
  return key === null ? <SessionList query={query} /> : <SessionPage key={key} session={key} message={message} />;
}

document.addEventListener('click', followed);
const place = document.getElementById('page');
if (place !== null) render(<Page />, place);
