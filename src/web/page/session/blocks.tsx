// What a message is made of. Tools and thinking are one line each until somebody opens them.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownBlock, ShownCall } from '../../api.ts';
import { sessionAddress } from '../address.ts';
import { imageAddress } from '../ask.ts';
import { Code } from '../parts/code.tsx';
import { Diff } from '../parts/diff.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { counted, duration } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';
import { firstLine, type ResultPart, resultLine, resultText, said } from './first-words.ts';
import { Nested } from './nested.tsx';

export interface BlockProps {
  shown: ShownBlock;
  session: string;
  index: number;
  kind: string;
  /** Its content had left the context. */
  isCleared: boolean;
  isOpen: boolean;
  toggle: () => void;
  wholeText: () => void;
}

export function BlockView(props: BlockProps) {
  const { shown, session, index, kind, isCleared } = props;
  const { block } = shown;
  switch (block.type) {
    case 'text':
      return (
        <div class={isCleared ? 'cleared' : ''}>
          {kind === 'reply' || kind === 'summary' ? (
            <Markdown text={said(block.text)} />
          ) : (
            <Plain text={said(block.text)} />
          )}
          <More {...props} />
        </div>
      );
    case 'thinking':
      return (
        <Fold
          {...props}
          class="thinking"
          line={
            block.text === null ? (
              'Thinking, not recorded in words'
            ) : (
              <>
                Thinking <span class="faint">{visible(block.subject ?? firstLine(said(block.text)))}</span>
              </>
            )
          }
        >
          {block.text === null ? null : <Markdown text={said(block.text)} />}
          <More {...props} />
        </Fold>
      );
    case 'tool_use':
      return <ToolUse {...props} name={block.name} input={block.input} call={shown.call} />;
    case 'tool_result': {
      const lines = resultText(block).trimEnd().split('\n').length;
      return (
        <>
          <Fold
            {...props}
            class={`result${block.is_error ? ' is-error' : ''}${isCleared ? ' cleared' : ''}`}
            line={
              <>
                <span class="result-arrow" aria-hidden="true">
                  ↳
                </span>
                <span class="unseen">Result: </span>
                <span class="one-line">{resultLine(block) || '(nothing)'}</span>
                {lines > 1 && <span class="faint more-lines">{counted(lines, 'line')}</span>}
                {isCleared && <span class="left-note">its content left the context</span>}
              </>
            }
          >
            {block.content.map((part, i) => (
              <Part key={i} part={part} />
            ))}
            <More {...props} />
          </Fold>
          <Images {...props} />
        </>
      );
    }
    case 'image':
      return <Images {...props} />;
    case 'attachment':
      return (
        <Fold
          {...props}
          class="attachment"
          line={
            <>
              {visible(block.name)} <span class="faint">{firstLine(said(block.text ?? ''))}</span>
            </>
          }
        >
          <pre class="plain-text">
            {visible(block.text === null ? JSON.stringify(block.data, null, 2) : said(block.text))}
          </pre>
          <More {...props} />
        </Fold>
      );
    case 'unknown':
      return (
        <Fold
          {...props}
          class="attachment"
          line={
            <>
              {visible(block.native_type ?? 'something')} <span class="faint">not known to Palimpsest</span>
            </>
          }
        >
          <Code text={visible(JSON.stringify(block.data, null, 2))} language="json" />
          <More {...props} />
        </Fold>
      );
  }
  // The compiler knows all of them; a newer server may know more.
  return <span class="faint">{`${session} ${index}`}</span>;
}

interface FoldProps extends BlockProps {
  class: string;
  line: ComponentChildren;
  children: ComponentChildren;
}

function Fold({ class: name, line, children, isOpen, toggle }: FoldProps) {
  return (
    <div class={`fold ${name}`}>
      <button type="button" class="fold-line" aria-expanded={isOpen} onClick={toggle}>
        <span class="fold-sign" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        {line}
      </button>
      {isOpen && <div class="fold-body">{children}</div>}
    </div>
  );
}

interface ToolUseProps extends BlockProps {
  name: string;
  input: unknown;
  call: ShownCall | null;
}

const STATUS: Partial<Record<ShownCall['status'], string>> = {
  error: 'failed',
  rejected: 'refused',
  interrupted: 'stopped',
  denied: 'denied',
  cancelled: 'cancelled',
  unanswered: 'no answer',
  background: 'in the background',
};

function ToolUse(props: ToolUseProps) {
  const { name, input, call, session } = props;
  const status = call === null ? undefined : STATUS[call.status];
  const took = call === null ? '' : duration(call.started_at, call.ended_at);
  return (
    <Fold
      {...props}
      class={`tool ${call?.status ?? ''}`}
      line={
        <>
          <span class="tool-name">{visible(name)}</span>
          <span class="one-line tool-what">{firstLine(call?.about ?? '')}</span>
          {status !== undefined && (
            <span class={`status ${call?.status}`}>
              {status}
              {call?.exit_code ? ` (${call.exit_code})` : ''}
            </span>
          )}
          {took !== '' && <span class="faint took">{took}</span>}
        </>
      }
    >
      {call?.diff ? (
        <Diff diff={call.diff} />
      ) : (
        <>
          <Code text={visible(inputText(input))} language={typeof input === 'string' ? '' : 'json'} />
          <More {...props} />
        </>
      )}
      {call?.diff_base === 'fragment' && (
        <p class="hint">Only the changed piece is recorded: line numbers are those of the piece.</p>
      )}
      {call?.subagent && (
        <>
          <a class="subagent-link" href={sessionAddress(call.subagent)}>
            Open the subagent’s own session
          </a>
          <Nested session={call.subagent} within={session} />
        </>
      )}
    </Fold>
  );
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}

/** What a tool gave that is neither text nor image is shown as it is recorded. Images stand below, also while it is folded. */
function Part({ part }: { part: ResultPart }) {
  switch (part.type) {
    case 'text':
      return <pre class="plain-text output">{visible(said(part.text))}</pre>;
    case 'image':
      return null;
    case 'unknown':
      return <Code text={visible(JSON.stringify(part.data, null, 2))} language="json" />;
  }
}

function Plain({ text }: { text: string }) {
  return <div class="plain-said">{visible(text)}</div>;
}

function More({ shown, wholeText }: BlockProps) {
  if (shown.cut === 0) return null;
  return (
    <button type="button" class="link more" onClick={wholeText}>
      Show the other {shown.cut.toLocaleString('en')} characters
    </button>
  );
}

function Images({ shown, session, index }: BlockProps) {
  if (shown.images.length === 0) return null;
  return (
    <div class="images">
      {shown.images.map((number) => (
        <Picture key={number} address={imageAddress(session, index, number)} />
      ))}
    </div>
  );
}

/** Not every kind of picture is shown: some can run code. */
function Picture({ address }: { address: string }) {
  const [isShown, setShown] = useState(true);
  if (!isShown) return <p class="hint">A picture that is not shown here: of a kind that can run code, or broken.</p>;
  return <img src={address} alt="from the session" loading="lazy" onError={() => setShown(false)} />;
}
