// What each client must be told to run in a sandbox: its environment, and the settings that keep it from asking.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from './clients.ts';

/** A made-up key. Claude Code knows an approved key by its last twenty characters. */
const KEY = 'made-up-key-of-the-conformance-suite';

interface Place {
  home: string;
  work: string;
  api: { port: number };
}

/** The whole environment of a client: nothing of the caller's leaks in. */
export function environment(client: Client, home: string, port: number): Record<string, string> {
  const base = `http://127.0.0.1:${port}`;
  return {
    HOME: home,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TMPDIR: home,
    ...environments[client.agent](home, base),
  };
}

const environments: Record<Client['agent'], (home: string, base: string) => Record<string, string>> = {
  'claude-code': (home, base) => ({
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_TMPDIR: home,
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_INSTALLATION_CHECKS: '1',
    // As root, as in a container, it would not skip permissions otherwise.
    IS_SANDBOX: '1',
    // 2.0.42 thinks only if it is told to.
    MAX_THINKING_TOKENS: '8000',
  }),
  codex: (home) => ({ CODEX_HOME: join(home, '.codex'), MOCK_KEY: KEY }),
  gemini: (_home, base) => ({
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: base,
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_SANDBOX: 'false',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_BROWSER: '1',
  }),
};

/** Writes the settings of a client into the home, unless they are there. */
export function writeSettings(place: Place, client: Client): void {
  settings[client.agent](place);
}

const settings: Record<Client['agent'], (place: Place) => void> = {
  'claude-code': ({ home, work }) =>
    write(join(home, '.claude', '.claude.json'), {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: '9.9.9',
      numStartups: 5,
      theme: 'dark',
      bypassPermissionsModeAccepted: true,
      autoUpdates: false,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: {
        [work]: {
          hasTrustDialogAccepted: true,
          hasCompletedProjectOnboarding: true,
          projectOnboardingSeenCount: 9,
          allowedTools: [],
        },
      },
    }),
  codex: ({ home, work, api }) => write(join(home, '.codex', 'config.toml'), codexConfig(work, api.port)),
  gemini: ({ home }) =>
    write(join(home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: {
        enableAutoUpdate: false,
        enableAutoUpdateNotification: false,
        disableAutoUpdate: true,
        disableUpdateNag: true,
        retryFetchErrors: false,
        maxAttempts: 1,
      },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ide: { enabled: false, hasSeenNudge: true },
      ui: { hideTips: true, hideBanner: true, showHomeDirectoryWarning: false },
      model: { name: 'gemini-2.5-flash' },
    }),
};

function codexConfig(work: string, port: number): string {
  return `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[projects."${work}"]
trust_level = "trusted"
[tui]
screen_reader_detection_done = true
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
`;
}

function write(path: string, value: unknown): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}
