import type { Command } from './command.ts'

interface Entry {
  summary: string
  load: () => Promise<{ default: Command }>
}

/** Every command by the words that call it. Each is loaded when it is called. */
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
  'stacks check': entry(
    'Show stacks that a new version refuses',
    () => import('./commands/stacks/check.ts'),
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
  'stacks stats': entry('Watch what a stack uses', () => import('./commands/stacks/stats.ts')),
  'containers list': entry('List containers', () => import('./commands/containers/list.ts')),
  'containers logs': entry(
    'Print logs of a container',
    () => import('./commands/containers/logs.ts'),
  ),
  'containers stats': entry(
    'Watch what containers use',
    () => import('./commands/containers/stats.ts'),
  ),
  'containers exec': entry(
    'Run a command in a container',
    () => import('./commands/containers/exec.ts'),
  ),
  'containers delete': entry('Remove a container', () => import('./commands/containers/delete.ts')),
  'images list': entry('List images', () => import('./commands/images/list.ts')),
  'images pull': entry('Pull an image', () => import('./commands/images/pull.ts')),
  'images delete': entry('Remove an image', () => import('./commands/images/delete.ts')),
  'images prune': entry(
    'Remove images that nothing holds',
    () => import('./commands/images/prune.ts'),
  ),
  'networks list': entry('List networks', () => import('./commands/networks/list.ts')),
  'volumes list': entry('List volumes', () => import('./commands/volumes/list.ts')),
  'hosts list': entry('List hosts', () => import('./commands/hosts/list.ts')),
  'hosts enrol': entry('Add a host, or its agent again', () => import('./commands/hosts/enrol.ts')),
  'hosts revoke': entry('Cut a host off', () => import('./commands/hosts/revoke.ts')),
  'hosts update': entry('Name or tag a host', () => import('./commands/hosts/update.ts')),
  'backups jobs': entry('List backup jobs', () => import('./commands/backups/jobs.ts')),
  'backups runs': entry('List backups that ran', () => import('./commands/backups/runs.ts')),
  'backups run': entry('Back up now', () => import('./commands/backups/run.ts')),
  'backups verify': entry(
    'Read a backup back and check it',
    () => import('./commands/backups/verify.ts'),
  ),
  'backups restore': entry('Restore a backup', () => import('./commands/backups/restore.ts')),
  'backups create': entry('Make a backup job', () => import('./commands/backups/create.ts')),
  'backups update': entry('Change a backup job', () => import('./commands/backups/update.ts')),
  'backups delete': entry('Delete a backup job', () => import('./commands/backups/delete.ts')),
  events: entry('Follow what happens', () => import('./commands/events.ts')),
  'tokens list': entry('List API tokens', () => import('./commands/tokens/list.ts')),
  'tokens create': entry('Make an API token', () => import('./commands/tokens/create.ts')),
  'tokens revoke': entry('Revoke an API token', () => import('./commands/tokens/revoke.ts')),
  'mfa enable': entry('Begin to set up a second factor', () => import('./commands/mfa/enable.ts')),
  'mfa verify': entry('Switch the second factor on', () => import('./commands/mfa/verify.ts')),
  'mfa disable': entry('Switch the second factor off', () => import('./commands/mfa/disable.ts')),
  'users list': entry('List accounts', () => import('./commands/users/list.ts')),
  'users create': entry('Make an account', () => import('./commands/users/create.ts')),
  'registries list': entry('List registries', () => import('./commands/registries/list.ts')),
  'registries create': entry(
    'Keep credentials of a registry',
    () => import('./commands/registries/create.ts'),
  ),
  'registries delete': entry('Forget them', () => import('./commands/registries/delete.ts')),
  'alerts list': entry('Show what fires', () => import('./commands/alerts/list.ts')),
  'alerts rules': entry('List alert rules', () => import('./commands/alerts/rules.ts')),
  'alerts history': entry(
    'Show what fired and resolved',
    () => import('./commands/alerts/history.ts'),
  ),
  'alerts channels': entry('List channels', () => import('./commands/alerts/channels.ts')),
  'alerts test': entry('Try a channel', () => import('./commands/alerts/test.ts')),
  'alerts deliveries': entry(
    'Show alerts that did not arrive',
    () => import('./commands/alerts/deliveries.ts'),
  ),
  'keys list': entry('List the keys of the secrets', () => import('./commands/keys/list.ts')),
  'keys rotate': entry('Encrypt secrets anew', () => import('./commands/keys/rotate.ts')),
  'keys delete': entry('Delete an old key', () => import('./commands/keys/delete.ts')),
  'audit list': entry('Show who did what', () => import('./commands/audit/list.ts')),
  'audit verify': entry('Check the audit rows', () => import('./commands/audit/verify.ts')),
  'audit export': entry('Write audit rows to a file', () => import('./commands/audit/export.ts')),
  'audit trim': entry('Remove exported audit rows', () => import('./commands/audit/trim.ts')),
  'users update': entry('Change an account', () => import('./commands/users/update.ts')),
  'users delete': entry('Delete an account', () => import('./commands/users/delete.ts')),
  'users unlock': entry('End a lock', () => import('./commands/users/unlock.ts')),
  'roles list': entry('List roles', () => import('./commands/roles/list.ts')),
  'roles create': entry('Make a role', () => import('./commands/roles/create.ts')),
  'roles update': entry('Change a role', () => import('./commands/roles/update.ts')),
  'roles delete': entry('Delete a role', () => import('./commands/roles/delete.ts')),
  'settings list': entry('List settings', () => import('./commands/settings/list.ts')),
  'settings set': entry('Change a setting', () => import('./commands/settings/set.ts')),
}

function entry(summary: string, load: Entry['load']): Entry {
  return { summary, load }
}

/** First words that need a second word. */
export const groups: ReadonlySet<string> = new Set(
  Object.keys(commands).flatMap((words) =>
    words.includes(' ') ? [words.split(' ')[0] ?? ''] : [],
  ),
)
