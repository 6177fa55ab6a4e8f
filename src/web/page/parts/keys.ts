/** Letters that go into a box are not meant for the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey) return true;
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isSlider(target);
}

function isSlider(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'range');
}
