import type { Command } from './command.ts'

interface Entry {
  summary: string
  load: () => Promise<{ default: Command }>
}

/** Every command by the words that one types; each is loaded when it is called. */
export const commands: Readonly<Record<string, Entry>> = {
  setup: entry('Make the first admin of a new service', () => import('./commands/setup.ts')),
  login: entry('Log in to a service', () => import('./commands/login.ts')),
  logout: entry('End the session', () => import('./commands/logout.ts')),
  whoami: entry('Show who is logged in', () => import('./commands/whoami.ts')),
  'stacks list': entry('List stacks', () => import('./commands/stacks/list.ts')),
  'stacks get': entry('Print the files of a stack', () => import('./commands/stacks/get.ts')),
  'stacks create': entry('Save a new stack', () => import('./commands/stacks/create.ts')),
  'stacks update': entry('Save changed files', () => import('./commands/stacks/update.ts')),
  'stacks delete': entry('Take a stack down for good', () => import('./commands/stacks/delete.ts')),
  'stacks plan': entry('Show what a deploy would do', () => import('./commands/stacks/plan.ts')),
  'stacks deploy': entry('Bring a stack up', () => import('./commands/stacks/deploy.ts')),
  'stacks rollback': entry(
    'Deploy an earlier deployment again',
    () => import('./commands/stacks/rollback.ts'),
  ),
  'stacks stop': entry('Take a stack down', () => import('./commands/stacks/stop.ts')),
  'stacks adopt': entry('Manage a running project', () => import('./commands/stacks/adopt.ts')),
  'stacks restart': entry('Restart services', () => import('./commands/stacks/restart.ts')),
  'stacks status': entry('Show each service', () => import('./commands/stacks/status.ts')),
  'stacks logs': entry('Print logs of services', () => import('./commands/stacks/logs.ts')),
  'stacks deployments': entry(
    'List what was deployed',
    () => import('./commands/stacks/deployments.ts'),
  ),
  'containers list': entry('List containers', () => import('./commands/containers/list.ts')),
  'containers logs': entry(
    'Print logs of a container',
    () => import('./commands/containers/logs.ts'),
  ),
  'images list': entry('List images', () => import('./commands/images/list.ts')),
  'networks list': entry('List networks', () => import('./commands/networks/list.ts')),
  'volumes list': entry('List volumes', () => import('./commands/volumes/list.ts')),
  'hosts list': entry('List hosts', () => import('./commands/hosts/list.ts')),
  'tokens list': entry('List API tokens', () => import('./commands/tokens/list.ts')),
  'tokens create': entry('Make an API token', () => import('./commands/tokens/create.ts')),
  'tokens revoke': entry('Revoke an API token', () => import('./commands/tokens/revoke.ts')),
  'users list': entry('List accounts', () => import('./commands/users/list.ts')),
  'users create': entry('Make an account', () => import('./commands/users/create.ts')),
  'audit list': entry('Show who did what', () => import('./commands/audit/list.ts')),
  'audit verify': entry('Check the audit rows', () => import('./commands/audit/verify.ts')),
}

function entry(summary: string, load: Entry['load']): Entry {
  return { summary, load }
}

/** First words that need a second one. */
export const groups: ReadonlySet<string> = new Set(
  Object.keys(commands).flatMap((words) =>
    words.includes(' ') ? [words.split(' ')[0] ?? ''] : [],
  ),
)
