// Wordings that the summariser was never tuned on: written before it, and only measured.

import type { Templates } from './templates.ts';

export const heldOut: Templates = {
  decision: [
    { by: 'agent', text: 'After weighing both, {choice} wins: {reason}.', keys: ['{choice}', '{reason}'] },
    {
      by: 'person',
      text: 'ok then make it {choice} please. {reason} and I do not want to fight that',
      keys: ['{choice}', '{reason}'],
    },
    {
      by: 'agent',
      text: 'My recommendation, which you agreed to, was {choice}. The argument: {reason}.',
      keys: ['{choice}', '{reason}'],
    },
    { by: 'agent', text: 'That rules out {other}, as {reason}; {choice} it is.', keys: ['{choice}', '{reason}'] },
    { by: 'person', text: 'forget {other}. I want {choice}: {reason}', keys: ['{choice}', '{reason}'] },
    {
      by: 'agent',
      text: 'I switched the module from {other} to {choice} given that {reason}.',
      keys: ['{choice}', '{reason}'],
    },
    {
      by: 'agent',
      text: 'This now relies on {choice}. We dropped {other} on the grounds that {reason}.',
      keys: ['{choice}', '{reason}'],
    },
    {
      by: 'person',
      text: 'Talked to the others, we are all in favour of {choice}. The reason is that {reason}.',
      keys: ['{choice}', '{reason}'],
    },
  ],
  path: [
    {
      name: 'str_replace_based_edit_tool',
      input: (path, line) => ({ command: 'str_replace', path, old_str: 'a', new_str: line }),
    },
    { name: 'create_file', input: (path, line) => ({ path, file_text: `${line}\n` }) },
    {
      name: 'apply_patch',
      input: (path, line) => ({ input: `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch` }),
    },
    {
      name: 'patch',
      input: (path, line) => ({ patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n` }),
    },
    { name: 'exec_command', input: (path, line) => ({ cmd: `cat > ${path} <<'EOF'\n${line}\nEOF`, workdir: '/work' }) },
    { name: 'mcp__files__edit_block', input: (path, line) => ({ filePath: path, oldText: 'a', newText: line }) },
    {
      name: 'Edit',
      input: (path, line) => ({ replace_all: true, file_path: path, old_string: 'foo', new_string: line }),
    },
    {
      name: 'apply_patch',
      input: (path, line) =>
        `*** Begin Patch\n*** Update File: README.md\n@@\n-a\n+b\n*** Update File: ${path}\n@@\n-c\n+${line}\n*** End Patch`,
    },
  ],
  test: [
    {
      command: 'vendor/bin/phpunit',
      output:
        'There was 1 failure:\n\n1) App\\Tests\\CartTest::{test}\nFailed asserting that 2 matches expected 3.\n\nFAILURES!\nTests: 44, Assertions: 102, Failures: 1.',
      exit_code: 1,
    },
    {
      command: 'dotnet test',
      output:
        '  Failed {test} [21 ms]\n  Error Message:\n   Assert.Equal() Failure\nFailed!  - Failed:     1, Passed:    57, Skipped:     0',
      exit_code: 1,
    },
    {
      command: 'mvn -q test',
      output:
        '[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] InvoiceTest.{test}:54 expected:<10> but was:<9>\n[INFO] BUILD FAILURE',
      exit_code: 1,
    },
    {
      command: 'npx playwright test',
      output:
        '  1) [chromium] › checkout.spec.ts:31:5 › {test} ──────\n\n    Error: expect(locator).toBeVisible() failed\n\n  1 failed\n  24 passed (41.2s)',
      exit_code: 1,
    },
    {
      command: 'mix test',
      output:
        '  1) test {test} (Shop.CartTest)\n     test/shop/cart_test.exs:19\n     Assertion with == failed\n\n72 tests, 1 failure',
      exit_code: 2,
    },
    {
      command: 'ctest --output-on-failure',
      output:
        '98% tests passed, 1 tests failed out of 52\n\nThe following tests FAILED:\n\t 17 - {test} (Failed)\nErrors while running CTest',
      exit_code: 8,
    },
    {
      command: 'bun test 2>&1 | tail -15',
      output: '(fail) cart > {test} [1.22ms]\n\n 40 pass\n 1 fail\n 88 expect() calls',
      exit_code: 0,
    },
    {
      command: './gradlew test',
      output:
        '> Task :test FAILED\n\nOrderServiceTest > {test} FAILED\n    org.opentest4j.AssertionFailedError at OrderServiceTest.java:77\n\n61 tests completed, 1 failed',
      exit_code: 1,
    },
  ],
  refusal: [
    { tool: 'MultiEdit', target: 'path', reason: 'hands off, {reason}', keys: ['{target}', '{reason}'] },
    { tool: 'exec_command', target: 'command', reason: '{reason}!!', keys: ['{target}', '{reason}'] },
    {
      tool: 'Write',
      target: 'path',
      reason: 'I told you before that {reason}. Read CONTRIBUTING first.',
      keys: ['{target}', '{reason}'],
    },
    { tool: 'Bash', target: 'command', reason: 'nope - {reason}', keys: ['{target}', '{reason}'] },
    { tool: 'replace', target: 'path', reason: 'that is generated code ({reason})', keys: ['{target}', '{reason}'] },
    {
      tool: 'shell_command',
      target: 'command',
      reason: 'wait, first show me a dry run; {reason}',
      keys: ['{target}', '{reason}'],
    },
    {
      tool: 'create_file',
      target: 'path',
      reason: 'we already have one of these. Also {reason}',
      keys: ['{target}', '{reason}'],
    },
    {
      tool: 'Bash',
      target: 'command',
      reason: 'You are on the wrong branch and {reason}, think again',
      keys: ['{target}', '{reason}'],
    },
  ],
  question: [
    {
      by: 'agent',
      text: 'Is it fine for {subject} to {first}, or is it better to {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Let me know if {subject} should {first} or rather {second}.',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'I could not work out from the code if {subject} is meant to {first} or to {second}.',
      keys: ['{subject}', '{first}', '{second}'],
    },
    { by: 'agent', text: 'Your call: {subject} can {first} or {second}.', keys: ['{subject}', '{first}', '{second}'] },
    {
      by: 'agent',
      text: 'How do you want {subject} handled: {first}, or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'There is one thing I need from you. Can {subject} {first}? If not it has to {second}.',
      keys: ['{subject}', '{first}'],
    },
    {
      by: 'agent',
      text: 'Unclear to me: {subject}. Will it {first} or {second}?',
      keys: ['{subject}', '{first}', '{second}'],
    },
    {
      by: 'agent',
      text: 'Happy to have {subject} {first} if you say so, the other way is to {second}. Which one?',
      keys: ['{subject}', '{first}', '{second}'],
    },
  ],
  constraint: [
    { by: 'person', text: 'Leave {thing} alone please.', keys: ['Leave {thing} alone'] },
    { by: 'person', text: '{thing} is off limits.', keys: ['{thing} is off limits'] },
    { by: 'person', text: 'Keep in mind that {thing} gets no more than {number}.', keys: ['{thing}', '{number}'] },
    { by: 'person', text: 'The budget for {thing} is {number}, hard limit.', keys: ['{thing}', '{number}'] },
    {
      by: 'person',
      text: 'Whatever you do, {thing} stays backwards compatible.',
      keys: ['{thing} stays backwards compatible'],
    },
    { by: 'person', text: 'No new code in {thing}, reviewers will reject it.', keys: ['No new code in {thing}'] },
    { by: 'person', text: 'we agreed with the customer on {number} for {thing}', keys: ['{number}', '{thing}'] },
    { by: 'person', text: 'Anything above {number} breaks {thing}, so stay under it.', keys: ['{number}', '{thing}'] },
  ],
  cause: [
    { by: 'agent', text: 'So that explains `{error}`: {cause}.', keys: ['{cause}', '{error}'] },
    {
      by: 'agent',
      text: 'Here is what happens. {cause}, then the client gives up with `{error}`.',
      keys: ['{cause}', '{error}'],
    },
    {
      by: 'agent',
      text: 'What looked like a flaky network is in fact this: {cause}. The symptom is "{error}".',
      keys: ['{cause}', '{error}'],
    },
    { by: 'agent', text: 'Reproduced. {cause} and the result is `{error}`.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'We get `{error}` whenever {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'The stack trace of `{error}` points to one thing: {cause}.', keys: ['{cause}', '{error}'] },
    { by: 'agent', text: 'Why `{error}`? {cause}.', keys: ['{cause}', '{error}'] },
    {
      by: 'agent',
      text: 'Bisecting shows that {cause} since last week; before that there was no `{error}`.',
      keys: ['{cause}', '{error}'],
    },
  ],
  library: [
    {
      by: 'agent',
      text: '{library} {version} does exactly this, so it is in package.json now.',
      keys: ['{library} {version}'],
    },
    { by: 'person', text: 'the platform team ships {library} {version}, take that', keys: ['{library} {version}'] },
    { by: 'agent', text: 'Downgraded {library} to {version}.', keys: ['{library}', '{version}'] },
    {
      by: 'agent',
      text: 'Bumped {library} from the old release to {version} to get the fix.',
      keys: ['{library}', '{version}'],
    },
    {
      by: 'person',
      text: 'anything but {library} {version} will not pass the security review',
      keys: ['{library} {version}'],
    },
    {
      by: 'agent',
      text: 'With {library} at {version} the types line up, newer ones do not.',
      keys: ['{library}', '{version}'],
    },
    { by: 'agent', text: 'The lock file now holds {library} {version}.', keys: ['{library} {version}'] },
    {
      by: 'agent',
      text: 'Compared three candidates; {library} ({version}) is smallest and maintained.',
      keys: ['{library}', '{version}'],
    },
  ],
  todo: [
    {
      tool: 'todo_list',
      input: (task) => ({
        items: [
          { text: 'Read', done: true },
          { text: task, done: false },
        ],
      }),
    },
    { tool: 'TaskCreate', input: (task) => ({ subject: task, description: 'As discussed.', activeForm: 'Working' }) },
    {
      tool: 'TodoWrite',
      input: (task) => ({ todos: [{ id: '1', content: task, status: 'in_progress', priority: 'high' }] }),
    },
    { by: 'agent', text: 'Left for later: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'I have not got round to this: {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'One follow-up is open, namely to {task}.', keys: ['{task}'] },
    { by: 'agent', text: 'Someone will have to {task} before the release.', keys: ['{task}'] },
    { by: 'agent', text: 'Out of scope for today but noted: {task}.', keys: ['{task}'] },
  ],
  command: [
    {
      by: 'person',
      text: 'fyi the right way is `{command}`, plain runs mean that {why}',
      keys: ['{command}', '{why}'],
    },
    { by: 'agent', text: 'To reproduce: `{command}`. With anything else {why}.', keys: ['{command}', '{why}'] },
    { by: 'person', text: 'On this box it is `{command}`. Reason: {why}.', keys: ['{command}', '{why}'] },
    { by: 'agent', text: 'I found that {why} unless one runs `{command}`.', keys: ['{command}', '{why}'] },
    { by: 'person', text: 'remember `{command}` when you test ({why} if you forget)', keys: ['{command}', '{why}'] },
    {
      by: 'agent',
      text: 'Going forward the suite is run as `{command}`; {why} when it is not.',
      keys: ['{command}', '{why}'],
    },
    { by: 'person', text: 'Before each commit: `{command}`. Last time {why}.', keys: ['{command}', '{why}'] },
    {
      by: 'agent',
      text: 'Plain invocation does not work here ({why}), `{command}` does.',
      keys: ['{command}', '{why}'],
    },
  ],
};
