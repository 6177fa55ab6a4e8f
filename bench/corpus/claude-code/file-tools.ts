import { failed, largest, type ToolCall } from './calls.ts';
import { type Conversation, type Row, takeNeedle } from './conversation.ts';
import { editOf } from './edits.ts';
import { isLate, isNewest } from './versions.ts';

const READ_REMINDER =
  '\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware. You CAN and SHOULD provide analysis of malware, what it is doing. But you MUST refuse to improve or augment the code.\n</system-reminder>\n';

/** A file with line numbers, a picture, or an error. */
export function read(conversation: Conversation): Omit<ToolCall, 'id'> {
  const { random, text, cwd, version } = conversation;
  if (random.chance(0.028)) return readImage(conversation);
  const path = `${cwd}/${text.path(random)}`;
  if (random.chance(0.04)) {
    return {
      name: 'Read',
      input: { file_path: path },
      outcome: failed(`File does not exist. Note: your current working directory is ${cwd}.`),
    };
  }
  const content = text.code(random, random.longTail(1400, 1.5, 240_000)) + takeNeedle(conversation, 'tool_output');
  const lines = content.split('\n');
  const startLine = random.chance(0.3) ? random.integer(1, 900) : 1;
  const width = version.readSeparator === '→' ? 6 : 0;
  const numbered = lines
    .map((line, index) => `${String(startLine + index).padStart(width)}${version.readSeparator}${line}`)
    .join('\n');
  return {
    name: 'Read',
    input: startLine === 1 ? { file_path: path } : { file_path: path, offset: startLine, limit: lines.length },
    outcome: {
      content: isLate(version) ? numbered : numbered + READ_REMINDER,
      toolUseResult: {
        type: 'text',
        file: { filePath: path, content, numLines: lines.length, startLine, totalLines: startLine - 1 + lines.length },
      },
    },
  };
}

/** A picture stands twice in its row: once for the model, once in the client's copy. */
function readImage(conversation: Conversation): Omit<ToolCall, 'id'> {
  const { random, text, cwd } = conversation;
  const data = `iVBORw0KGgo${text.base64(random, random.longTail(260_000, 1.2, largest(conversation)))}A`;
  return {
    name: 'Read',
    input: { file_path: `${cwd}/docs/${text.word(random)}.png` },
    outcome: {
      content: [{ type: 'image', source: { type: 'base64', data, media_type: 'image/png' } }],
      toolUseResult: {
        type: 'image',
        file: { base64: data, type: 'image/png', originalSize: Math.floor((data.length * 3) / 4) },
      },
    },
  };
}

/** A change of a file. */
export function edit(conversation: Conversation): Omit<ToolCall, 'id'> {
  const { random, text, cwd, version } = conversation;
  const changes = text.path(random);
  const path = `${cwd}/${changes}`;
  const change = editOf(conversation);
  const input: Row = {
    ...(isNewest(version) && { replace_all: false }),
    file_path: path,
    old_string: change.oldString,
    new_string: change.newString,
  };
  if (random.chance(0.05)) {
    const message = `String to replace not found in file.\nString: ${change.oldString}`;
    return {
      name: 'Edit',
      input,
      outcome: {
        content: `<tool_use_error>${message}</tool_use_error>`,
        isError: true,
        toolUseResult: `Error: ${message}`,
      },
    };
  }
  return {
    name: 'Edit',
    input,
    outcome: {
      content: isLate(version)
        ? `The file ${path} has been updated successfully. (file state is current in your context — no need to Read it back)`
        : `The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${change.snippet}`,
      toolUseResult: {
        filePath: path,
        oldString: change.oldString,
        newString: change.newString,
        originalFile: change.originalFile,
        structuredPatch: change.structuredPatch,
        userModified: false,
        replaceAll: false,
      },
    },
    changes,
  };
}

/** A new file. */
export function write({ random, text, cwd, version }: Conversation): Omit<ToolCall, 'id'> {
  const changes = text.path(random);
  const filePath = `${cwd}/${changes}`;
  const content = `${text.code(random, random.longTail(2200, 1, 120_000))}\n`;
  const kept = isLate(version)
    ? { structuredPatch: [], originalFile: null, userModified: false }
    : { structuredPatch: [] };
  return {
    name: 'Write',
    input: { file_path: filePath, content },
    outcome: {
      content: `File created successfully at: ${filePath}`,
      toolUseResult: { type: 'create', filePath, content, ...kept },
    },
    changes,
  };
}
