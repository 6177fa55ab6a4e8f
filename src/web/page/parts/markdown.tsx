// Markdown as elements: no HTML is ever made of it, so there is none that could be wrong. Links go nowhere but to the web, images
// are named and not fetched.

import MarkdownIt from 'markdown-it';
import type { ComponentChildren, VNode } from 'preact';
import { h } from 'preact';
import { Code } from './code.tsx';
import { visible } from './visible.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
type Token = ReturnType<typeof markdown.parse>[number];

const known = new Map<string, VNode>();
const MOST_KNOWN = 400;
/** Parsing a longer text would be felt while scrolling; it is shown as it is written. */
const MOST_CHARACTERS = 60_000;
const DEEPEST = 40;

export function Markdown({ text }: { text: string }) {
  const made = known.get(text);
  if (made !== undefined) return made;
  const element = prose(visible(text));
  known.set(text, element);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
  return element;
}

function prose(text: string): VNode {
  const tokens = text.length > MOST_CHARACTERS ? [] : markdown.parse(text, {});
  // What is nested deeper than the parser goes would be lost.
  if (tokens.length === 0 || tokens.some(({ level }) => level > DEEPEST)) return <pre class="plain-text">{text}</pre>;
  return <div class="prose">{elements(tokens)}</div>;
}

interface Open {
  token: Token | null;
  children: ComponentChildren[];
}

function elements(tokens: readonly Token[]): ComponentChildren[] {
  const open: Open[] = [{ token: null, children: [] }];
  for (const token of tokens) {
    const top = open.at(-1);
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed?.token) open.at(-1)?.children.push(element(closed.token, closed.children));
    } else top?.children.push(leaf(token));
  }
  return open[0]?.children ?? [];
}

const TAGS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote em strong s table thead tbody tr th td'.split(' '));

function element(token: Token, children: ComponentChildren[]): ComponentChildren {
  if (token.hidden) return children;
  if (token.tag === 'a') return link(String(token.attrGet('href') ?? ''), children);
  if (token.tag === 'ol') return h('ol', { start: Number(token.attrGet('start') ?? 1) }, children);
  // A table may be wider than the page.
  if (token.tag === 'table') return <div class="wide">{h('table', null, children)}</div>;
  // The page has its own headings: those of a text stand below them.
  if (/^h[1-6]$/.test(token.tag)) return h('p', { class: `said-${token.tag}` }, children);
  return TAGS.has(token.tag) ? h(token.tag, null, children) : children;
}

function leaf(token: Token): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return elements(token.children ?? []);
    case 'text':
      return visible(token.content);
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'code_inline':
      return <code>{visible(token.content)}</code>;
    case 'fence':
    case 'code_block':
      return <Code text={visible(token.content.replace(/\n$/, ''))} language={visible(token.info.trim())} />;
    case 'hr':
      return <hr />;
    case 'image':
      return <span class="not-fetched">[image: {visible(`${token.content} ${token.attrGet('src')}`)}]</span>;
    default:
      return visible(token.content);
  }
}

function link(href: string, children: ComponentChildren[]): ComponentChildren {
  if (!/^(https?|mailto):/i.test(href)) return <span class="no-link">{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
