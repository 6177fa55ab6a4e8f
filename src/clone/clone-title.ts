import type { SessionView } from '../schema/stream.ts';
import type { ClonePlan } from '../transform/plan.ts';

const MARK = ' (copy)';

/** Marked as a copy. A title that was made of a prompt is taken only where that prompt is still in the copy, or quoted in its summary. */
export function cloneTitle(session: SessionView, { draft }: Pick<ClonePlan, 'draft'>): string {
  const { id, title, title_source } = session.document.session;
  const isThere =
    title_source !== 'first-prompt' ||
    draft.messages.some(({ index }) => index === firstPrompt(session)) ||
    (title !== null && draft.summary?.text.includes(title.replace(/…$/, '')) === true);
  const name = title === null || !isThere ? `Copy of ${id.slice(0, 8)}` : title;
  return name.endsWith(MARK) || name.startsWith('Copy of ') ? name : `${name}${MARK}`;
}

function firstPrompt({ document }: SessionView): number | undefined {
  return document.turns.find(({ prompt_indices }) => prompt_indices.length > 0)?.prompt_indices[0];
}
