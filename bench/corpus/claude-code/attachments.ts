import { type Conversation, type Row, timestampOf, writeChained } from './conversation.ts';
import { isNewest } from './versions.ts';

interface Attachment {
  attachment: Row & { type: string };
  /** What is sent to the model; only 2.1.325 writes it. */
  rendered?: string;
  renderedRole?: 'system' | 'user';
  besideToolResult?: boolean;
  processId?: boolean;
}

/** Attachments are in the chain: the next row hangs on them. */
export function writeAttachment(conversation: Conversation, parts: Attachment): string {
  const { attachment, rendered, renderedRole = 'system', besideToolResult = false, processId = true } = parts;
  return writeChained(conversation, {
    body: {
      attachment,
      type: 'attachment',
      uuid: conversation.random.uuid(),
      // They are made before the prompt is stored, so their time runs backwards by a few milliseconds.
      timestamp: timestampOf(conversation.clock - conversation.random.integer(0, 3)),
      ...(isNewest(conversation.version) &&
        rendered !== undefined && {
          rendered: [{ content: `<system-reminder>\n${rendered}\n</system-reminder>` }],
          renderedRole,
        }),
      ...(besideToolResult && { renderedBesideToolResult: true }),
    },
    processId,
  });
}

const DEFERRED_TOOLS =
  'CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Monitor NotebookEdit SendMessage TaskStop WebFetch WebSearch'.split(
    ' ',
  );

/** What 2.1.x puts after the first prompt of a session (and 2.1.325 again after a compaction). */
export function writeOpeningAttachments(conversation: Conversation): void {
  const { version } = conversation;
  if (version.name === '2.1.110') {
    writeAttachment(conversation, {
      attachment: {
        type: 'deferred_tools_delta',
        addedNames: DEFERRED_TOOLS,
        addedLines: DEFERRED_TOOLS,
        removedNames: [],
      },
    });
    writeAttachment(conversation, { attachment: skillListing(conversation) });
  }
  if (!isNewest(version)) return;
  writeStanding(conversation);
  writeAttachment(conversation, {
    attachment: {
      type: 'auto_mode',
      autoModeConsentFlow: false,
      finishExposedWork: false,
      bashFirst: true,
      bashFirstSteer: 'relaxed',
      steerOnly: true,
      bypass: true,
    },
    rendered: `While bypass permissions mode is active:\n\n${conversation.text.prose(conversation.random, 440)}`,
    processId: false,
  });
  writePerPrompt(conversation);
  writeAttachment(conversation, { attachment: promptSnapshot(conversation, { withTools: false }) });
}

/** Environment, model, tools, agents and skills. */
export function writeStanding(conversation: Conversation): void {
  const { random, text, cwd, model } = conversation;
  const snapshot = {
    workingDirectory: cwd,
    isWorktree: false,
    isGitRepo: true,
    additionalWorkingDirectories: [],
    platform: 'linux',
    shell: 'bash',
    osVersion: 'Linux 6.18.44',
  };
  const identity = `You are powered by the model named ${model}. The exact model ID is ${model}.`;
  const agents = ['claude', 'Explore', 'general-purpose', 'Plan', 'statusline-setup'];
  const agentLines = agents.map((name) => `- ${name}: ${text.prose(random, 220)}`);
  writeAttachment(conversation, {
    attachment: { type: 'environment', snapshot },
    rendered: `# Environment\nYou have been invoked in the following environment: \n - Primary working directory: ${cwd}\n - Is a git repository: true\n - ${text.prose(random, 500)}`,
    processId: false,
  });
  writeAttachment(conversation, {
    attachment: { type: 'model', identity: { modelId: model }, text: identity },
    rendered: identity,
    processId: false,
  });
  writeAttachment(conversation, {
    attachment: {
      type: 'deferred_tools_delta',
      addedNames: DEFERRED_TOOLS,
      addedLines: DEFERRED_TOOLS,
      removedNames: [],
      wireHiddenNames: [],
      readdedNames: [],
    },
    rendered: `The following deferred tools are now available via ToolSearch:\n${DEFERRED_TOOLS.join('\n')}`,
    processId: false,
  });
  writeAttachment(conversation, {
    attachment: {
      type: 'agent_listing_delta',
      addedTypes: agents,
      addedLines: agentLines,
      builtInTypes: agents,
      removedTypes: [],
      isInitial: true,
      showConcurrencyNote: true,
    },
    rendered: `Available agent types for the Agent tool:\n${agentLines.join('\n').slice(0, 200)}`,
    processId: false,
  });
  const listing = skillListing(conversation);
  writeAttachment(conversation, {
    attachment: listing,
    rendered: `The following skills are available for use with the Skill tool:\n\n${listing.content}`,
    processId: false,
  });
}

/** Git status, date and attribution. */
export function writePerPrompt(conversation: Conversation): void {
  const { random, text, gitBranch } = conversation;
  const gitStatus = `This is the git status at the start of the conversation.\n\nCurrent branch: ${gitBranch}\n\nStatus:\n(clean)\n\nRecent commits:\n${random.hex(7)} ${text.phrase(random, 5)}`;
  const date = timestampOf(conversation.clock).slice(0, 10);
  const pr = '🤖 Generated with [Claude Code](https://claude.com/claude-code)';
  writeAttachment(conversation, {
    attachment: { type: 'session_context', context: { gitStatus } },
    rendered: `As you answer the user's questions, you can use the following context:\n# gitStatus\n${gitStatus}`,
    renderedRole: 'user',
  });
  writeAttachment(conversation, { attachment: { type: 'date', date }, rendered: `Today's date is ${date}.` });
  writeAttachment(conversation, {
    attachment: {
      type: 'remote_session_change',
      url: null,
      commit: 'Co-Authored-By: Claude <noreply@anthropic.com>',
      pr,
      sendUserFileHint: false,
      managedCommit: false,
      managedPr: false,
    },
    rendered: `Attribution for git commits and pull requests you create from here on: ${text.prose(random, 420)}`,
    renderedRole: 'user',
    besideToolResult: true,
  });
}

/** The system prompt as sent; with the tools it is the longest row of many a short session. */
export function promptSnapshot(
  { random, text }: Conversation,
  { withTools }: { withTools: boolean },
): Row & { type: string } {
  const tools = [
    'Agent',
    'AskUserQuestion',
    'Bash',
    'Edit',
    'ListAgents',
    'Read',
    'Skill',
    'TaskCreate',
    'TaskUpdate',
    'ToolSearch',
    'Workflow',
    'Write',
  ].map((name) => {
    const description = text.prose(random, 230);
    const properties = {
      [text.word(random)]: { description: text.prose(random, 300), type: 'string' },
      [text.word(random)]: { description: text.prose(random, 300), type: 'string' },
    };
    return {
      name,
      description,
      schema: {
        name,
        description,
        input_schema: { type: 'object', properties, required: [], additionalProperties: false },
      },
    };
  });
  return {
    type: 'prompt_snapshot',
    systemPrompt: Array.from({ length: 9 }, () => text.prose(random, 226)),
    ...(withTools && {
      tools,
      cliPrefix: "You are Claude Code, Anthropic's official CLI for Claude.",
      systemTurns: true,
    }),
    reminderFold: false,
    echoWireToolInputs: false,
    contextRendering: 'announced',
  };
}

function skillListing({ random, text, version }: Conversation): Row & { type: string; content: string } {
  const names = ['dataviz', 'update-config', 'keybindings-help', 'code-review', 'simplify', 'loop', 'claude-api'];
  const length = isNewest(version) ? 227 : random.longTail(2500, 0.5, 6000);
  return {
    type: 'skill_listing',
    content: `- dataviz: ${text.prose(random, length)}`,
    skillCount: names.length,
    isInitial: true,
    ...(isNewest(version) && { names, digests: names.map(() => random.hex(16)) }),
  };
}
