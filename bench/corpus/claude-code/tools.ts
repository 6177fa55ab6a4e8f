import { callId, failed, largest, type Outcome, type ToolCall } from './calls.ts';
import { type Conversation, type Row, takeNeedle } from './conversation.ts';
import { edit, read, write } from './file-tools.ts';
import { isLate } from './versions.ts';

type Maker = (conversation: Conversation) => Omit<ToolCall, 'id'>;

/** A call as agents make them most: shares as counted in public sessions. */
export function randomCall(conversation: Conversation): ToolCall {
  const make = conversation.random.weighted<Maker>([
    [bash, 38],
    [read, 21],
    [edit, 20],
    [grep, 8],
    [write, 4],
    [todo, 5],
    [glob, 2],
    [fetchPage, 2],
  ]);
  return { id: callId(conversation), ...make(conversation) };
}

/** A Bash call whose outcome the caller decides: for refusals and interruptions. */
export function bashCall(conversation: Conversation, command: string, outcome: Outcome): ToolCall {
  return {
    id: callId(conversation),
    name: 'Bash',
    input: { command, description: conversation.text.phrase(conversation.random, 4) },
    outcome,
  };
}

function bash(conversation: Conversation): Omit<ToolCall, 'id'> {
  const { random, text, version } = conversation;
  const input: Row = { command: command(conversation), description: text.phrase(random, random.integer(3, 7)) };
  if (random.chance(0.07)) {
    return {
      name: 'Bash',
      input,
      outcome: failed(
        `Exit code ${random.pick([1, 1, 1, 2, 127])}\n${text.code(random, random.longTail(500, 1.1, 30_000))}`,
      ),
    };
  }
  // The model sees at most 30,000 characters; a rare run of a noisy tool leaves far more in the client's own copy.
  const noisy = random.chance(0.003);
  const stdout = noisy
    ? text.code(random, random.longTail(500_000, 0.9, largest(conversation)))
    : `${random.hex(12)} ${text.code(random, random.longTail(260, 1.5, 30_000))}${takeNeedle(conversation, 'tool_output')}`;
  return {
    name: 'Bash',
    input,
    outcome: {
      content: noisy
        ? `${stdout.slice(0, 30_000)}\n\n... [${stdout.length - 30_000} characters truncated] ...`
        : stdout,
      isError: false,
      toolUseResult: {
        stdout,
        stderr: '',
        interrupted: false,
        isImage: false,
        ...(isLate(version) && { noOutputExpected: false }),
      },
    },
  };
}

function command({ random, text, cwd }: Conversation): string {
  const word = text.word(random);
  switch (random.integer(0, 6)) {
    case 0:
      return `cd ${cwd} && git status --short && git log --oneline -n ${random.integer(3, 20)}`;
    case 1:
      return `npm test -- ${word} 2>&1 | tail -${random.integer(10, 80)}`;
    case 2:
      return `rg -n "${word}_${text.word(random)}" ${text.path(random)}`;
    case 3:
      return `cat > /tmp/${word}.ts <<'EOF'\n${text.code(random, random.longTail(400, 0.9, 8000))}\nEOF\nnode /tmp/${word}.ts`;
    case 4:
      return `sed -n '${random.integer(1, 200)},${random.integer(201, 600)}p' ${text.path(random)}`;
    default:
      return `${word} --${text.word(random)} ${text.path(random)}`;
  }
}

function grep({ random, text }: Conversation): Omit<ToolCall, 'id'> {
  const pattern = `${text.word(random)}.*${text.word(random)}`;
  if (random.chance(0.5)) {
    const filenames = Array.from({ length: random.integer(1, 30) }, () => text.path(random));
    return {
      name: 'Grep',
      input: { pattern, output_mode: 'files_with_matches' },
      outcome: {
        content: `Found ${filenames.length} files\n${filenames.join('\n')}`,
        toolUseResult: { mode: 'files_with_matches', filenames, numFiles: filenames.length },
      },
    };
  }
  const content = text.code(random, random.longTail(500, 1.2, 20_000));
  return {
    name: 'Grep',
    input: { pattern, path: 'src', output_mode: 'content', '-n': true },
    outcome: {
      content,
      toolUseResult: { mode: 'content', numFiles: 0, filenames: [], content, numLines: content.split('\n').length },
    },
  };
}

function glob({ random, text }: Conversation): Omit<ToolCall, 'id'> {
  const filenames = Array.from({ length: random.integer(0, 12) }, () => text.path(random));
  return {
    name: 'Glob',
    input: { pattern: `**/*${text.word(random)}*` },
    outcome: {
      content: filenames.length ? filenames.join('\n') : 'No files found',
      toolUseResult: { filenames, durationMs: random.integer(3, 90), numFiles: filenames.length, truncated: false },
    },
  };
}

function fetchPage({ random, text }: Conversation): Omit<ToolCall, 'id'> {
  const url = `https://example.com/${text.word(random)}/${text.word(random)}`;
  const result = text.prose(random, random.longTail(1300, 0.8, 20_000));
  const bytes = random.integer(5000, 250_000);
  return {
    name: 'WebFetch',
    input: { url, prompt: text.phrase(random, 12) },
    outcome: {
      content: result,
      toolUseResult: { bytes, code: 200, codeText: 'OK', result, durationMs: random.integer(400, 9000), url },
    },
  };
}

/** Newer clients keep tasks with a tool of their own instead of rewriting the whole list. */
function todo({ random, text, version }: Conversation): Omit<ToolCall, 'id'> {
  if (isLate(version)) {
    const taskId = String(random.integer(1, 20));
    return {
      name: 'TaskUpdate',
      input: { taskId, status: 'completed' },
      outcome: {
        content: `Updated task #${taskId} status`,
        toolUseResult: {
          success: true,
          taskId,
          updatedFields: ['status'],
          statusChange: { from: 'in_progress', to: 'completed' },
        },
      },
    };
  }
  const newTodos = Array.from({ length: random.integer(2, 7) }, (_, index) => ({
    content: text.phrase(random, random.integer(4, 9)),
    status: index === 0 ? 'in_progress' : 'pending',
    activeForm: text.phrase(random, random.integer(4, 9)),
  }));
  return {
    name: 'TodoWrite',
    input: { todos: newTodos },
    outcome: {
      content:
        'Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable',
      toolUseResult: { oldTodos: [], newTodos },
    },
  };
}
