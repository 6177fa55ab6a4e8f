// What was done in the turns, as things to be told: files, commands, failures, subagents, tasks.

import { belowProject, counted } from './summary-calls.ts';
import type { ChangedFile, Collected, RunCommand } from './summary-collect.ts';
import { type Item, item } from './summary-fit.ts';
import type { Level } from './summary-levels.ts';
import { clip, code } from './summary-sentences.ts';

export function fileItems({ files }: Collected, project: string | null): Item[] {
  return relativeFiles(files, project).map(({ path, times, last, prompt }) => {
    const often = times > 1 ? ` ×${times}` : '';
    const detail = last.detail === '' ? '' : `, ${times > 1 ? 'last: ' : ''}${last.detail}`;
    const deed = times > 1 && last.deed === 'added' ? 'edited' : last.deed;
    return item({
      section: 'changed',
      line: path,
      short: `${path}${often}`,
      long: `${path} — ${deed}${often} (${prompt})${detail}`,
      worth: 90,
      longWorth: 30,
    });
  });
}

/** One file has one entry, whether it was named from the root or from the project. */
function relativeFiles(files: Collected['files'], project: string | null): ChangedFile[] {
  const root = project === null || project === '/' ? null : `${project.replace(/\/$/, '')}/`;
  const byPath: Collected['files'] = new Map();
  for (const file of files.values()) {
    const path =
      root !== null && file.path.startsWith(root) ? file.path.slice(root.length) : file.path.replace(/^\.\//, '');
    const known = byPath.get(path);
    byPath.delete(path);
    byPath.set(path, { ...file, path, times: file.times + (known?.times ?? 0) });
  }
  return [...byPath.values()];
}

const WORK =
  /\b(?:test|build|lint|check|install|add|commit|push|merge|rebase|migrate|deploy|publish|release|compile|fmt|format|tsc|pytest|vitest|jest)\b/;

export function commandItems({ commands }: Collected, level: Level, project: string | null): Item[] {
  const items: Item[] = [];
  let looks = 0;
  for (const run of commands.values()) {
    if (run.looks) looks += run.times;
    else if (level.details || run.failures > 0 || WORK.test(run.command))
      items.push(commandItem({ ...run, command: belowProject(run.command, project) }));
  }
  if (looks > 0)
    items.push(
      item({ section: 'run', short: `and ${counted(looks, 'command')} that only looked at things`, worth: 12 }),
    );
  return items;
}

function commandItem(run: RunCommand): Item {
  const often = run.times > 1 ? ` ×${run.times}` : '';
  const failures = run.failures > 0 && run.times > 1 ? `, ${run.failures} failed` : '';
  const ended = `${often}: ${run.times > 1 ? 'last ' : ''}${run.ended}${failures}`;
  return item({
    section: 'run',
    line: run.command,
    short: `(${run.prompt}) ${code(clip(run.command, 90))}${ended}`,
    long: `(${run.prompt}) ${code(run.command)}${ended}`,
    worth: run.failures > 0 ? 32 : WORK.test(run.command) ? 28 : 20,
    longWorth: 14,
  });
}

export function failedItems({ commands, troubles }: Collected, project: string | null): Item[] {
  const items = [...commands.values()]
    .filter((run) => run.failures > 0 && !run.looks)
    .map((run) => failedItem(run, project));
  for (const [said, { prompt, times }] of troubles) {
    items.push(item({ section: 'failed', short: `(${prompt}) ${said}${times > 1 ? ` ×${times}` : ''}`, worth: 16 }));
  }
  return items;
}

function failedItem(run: RunCommand, project: string | null): Item {
  const { tests, messages, prompt, passedLater } = run;
  const command = belowProject(run.command, project);
  const later = passedLater ? ' (went well later)' : '';
  const head = (most: number) => `(${prompt}) ${code(clip(command, most))}${later}: `;
  return item({
    section: 'failed',
    line: run.command,
    short: clip(head(60) + [...tests.slice(-3), ...(tests.length > 0 ? [] : messages.slice(0, 2))].join(' | '), 420),
    long: clip(head(120) + [...tests, ...messages].join(' | '), 1400),
    worth: tests.length > 0 ? (passedLater ? 62 : 80) : passedLater ? 26 : 58,
    longWorth: passedLater ? 20 : 40,
  });
}

export function agentItems({ agents }: Collected): Item[] {
  return agents.map(({ prompt, errand, report, whole }) =>
    item({
      section: 'agents',
      line: `${prompt} ${errand} ${report}`,
      short: `(${prompt}) ${clip(errand, 80)}: ${clip(report, 160)}`,
      long: `(${prompt}) ${clip(errand, 120)}: ${clip(report, 700)}`,
      whole: `(${prompt}) ${errand}: ${whole}`,
      worth: 50,
      longWorth: 36,
    }),
  );
}

/** Tasks that were left, and prompts that got no reply. */
export function taskItems({ tasks, asked }: Collected): Item[] {
  const left = tasks
    .filter((task) => !task.done)
    .map((task) =>
      item({
        section: 'open',
        short: `Task (${task.status.replaceAll('_', ' ')}): ${clip(task.text, 300)}`,
        whole: `Task (${task.status.replaceAll('_', ' ')}): ${task.text}`,
        worth: 88,
      }),
    );
  const unanswered = asked.flatMap((prompt, index) =>
    prompt.replied ? [] : [item({ section: 'open', short: `Prompt ${index + 1} got no reply.`, worth: 60 })],
  );
  return [...left, ...unanswered];
}
