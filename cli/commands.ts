import type { Command } from './command.ts'

interface Entry {
  summary: string
  load: () => Promise<{ default: Command }>
}

/** Every command by the words that call it. Each is loaded when it is called. */
export const commands: Readonly<Record<string, Entry>> = {
  setup: entry('Create the first admin of a new service', () => import('./commands/setup.ts')),
  login: entry('Log in to a service', () => import('./commands/login.ts')),
  logout: entry('End the session', () => import('./commands/logout.ts')),
  whoami: entry('Show who is logged in', () => import('./commands/whoami.ts')),
  'stacks list': entry('List stacks', () => import('./commands/stacks/list.ts')),
  'stacks get': entry('Print the files of a stack', () => import('./commands/stacks/get.ts')),
  'stacks create': entry('Save a new stack', () => import('./commands/stacks/create.ts')),
  'stacks update': entry('Save changed files', () => import('./commands/stacks/update.ts')),
  'stacks delete': entry('Delete a stack', () => import('./commands/stacks/delete.ts')),
  'stacks plan': entry('Preview a deploy', () => import('./commands/stacks/plan.ts')),
  'stacks deploy': entry('Deploy a stack', () => import('./commands/stacks/deploy.ts')),
  'stacks rollback': entry('Roll a stack back', () => import('./commands/stacks/rollback.ts')),
  'stacks check': entry(
    'Show the stacks that a new version refuses',
    () => import('./commands/stacks/check.ts'),
  ),
  'stacks stop': entry('Stop a stack', () => import('./commands/stacks/stop.ts')),
  'stacks adopt': entry(
    'Adopt a running compose project',
    () => import('./commands/stacks/adopt.ts'),
  ),
  'stacks restart': entry(
    'Restart the services of a stack',
    () => import('./commands/stacks/restart.ts'),
  ),
  'stacks status': entry(
    'Show the services of a stack',
    () => import('./commands/stacks/status.ts'),
  ),
  'stacks logs': entry('Print the logs of a stack', () => import('./commands/stacks/logs.ts')),
  'stacks deployments': entry(
    'List the deployments of a stack',
    () => import('./commands/stacks/deployments.ts'),
  ),
  'stacks stats': entry(
    'Watch the resource usage of a stack',
    () => import('./commands/stacks/stats.ts'),
  ),
  'containers list': entry('List containers', () => import('./commands/containers/list.ts')),
  'containers logs': entry(
    'Print the logs of a container',
    () => import('./commands/containers/logs.ts'),
  ),
  'containers stats': entry(
    'Watch the resource usage of containers',
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
  'images prune': entry('Remove unused images', () => import('./commands/images/prune.ts')),
  'networks list': entry('List networks', () => import('./commands/networks/list.ts')),
  'volumes list': entry('List volumes', () => import('./commands/volumes/list.ts')),
  'hosts list': entry('List hosts', () => import('./commands/hosts/list.ts')),
  'hosts enrol': entry(
    'Add a host, or re-enrol its agent',
    () => import('./commands/hosts/enrol.ts'),
  ),
  'hosts revoke': entry('Revoke a host', () => import('./commands/hosts/revoke.ts')),
  'hosts update': entry('Rename or tag a host', () => import('./commands/hosts/update.ts')),
  'backups jobs': entry('List backup jobs', () => import('./commands/backups/jobs.ts')),
  'backups runs': entry('List backup and restore runs', () => import('./commands/backups/runs.ts')),
  'backups run': entry('Run a backup job now', () => import('./commands/backups/run.ts')),
  'backups verify': entry('Verify a backup', () => import('./commands/backups/verify.ts')),
  'backups restore': entry('Restore a backup', () => import('./commands/backups/restore.ts')),
  'backups create': entry('Create a backup job', () => import('./commands/backups/create.ts')),
  'backups update': entry('Update a backup job', () => import('./commands/backups/update.ts')),
  'backups delete': entry('Delete a backup job', () => import('./commands/backups/delete.ts')),
  events: entry('Follow events', () => import('./commands/events.ts')),
  'tokens list': entry('List API tokens', () => import('./commands/tokens/list.ts')),
  'tokens create': entry('Create an API token', () => import('./commands/tokens/create.ts')),
  'tokens revoke': entry('Revoke an API token', () => import('./commands/tokens/revoke.ts')),
  'mfa enable': entry('Start setting up a second factor', () => import('./commands/mfa/enable.ts')),
  'mfa verify': entry('Enable the second factor', () => import('./commands/mfa/verify.ts')),
  'mfa disable': entry('Disable the second factor', () => import('./commands/mfa/disable.ts')),
  'users list': entry('List accounts', () => import('./commands/users/list.ts')),
  'users create': entry('Create an account', () => import('./commands/users/create.ts')),
  'registries list': entry('List registries', () => import('./commands/registries/list.ts')),
  'registries create': entry(
    'Store the credentials of a registry',
    () => import('./commands/registries/create.ts'),
  ),
  'registries delete': entry(
    'Delete the credentials of a registry',
    () => import('./commands/registries/delete.ts'),
  ),
  'alerts list': entry('List alerts', () => import('./commands/alerts/list.ts')),
  'alerts rules': entry('List alert rules', () => import('./commands/alerts/rules.ts')),
  'alerts history': entry('List past alerts', () => import('./commands/alerts/history.ts')),
  'alerts channels': entry('List alert channels', () => import('./commands/alerts/channels.ts')),
  'alerts test': entry('Test an alert channel', () => import('./commands/alerts/test.ts')),
  'alerts deliveries': entry(
    'List pending and dead alert deliveries',
    () => import('./commands/alerts/deliveries.ts'),
  ),
  'keys list': entry(
    'List the encryption keys of stored secrets',
    () => import('./commands/keys/list.ts'),
  ),
  'keys rotate': entry(
    'Rotate the encryption key of stored secrets',
    () => import('./commands/keys/rotate.ts'),
  ),
  'keys delete': entry('Delete an old encryption key', () => import('./commands/keys/delete.ts')),
  'audit list': entry('List audit rows', () => import('./commands/audit/list.ts')),
  'audit verify': entry('Verify the audit rows', () => import('./commands/audit/verify.ts')),
  'audit export': entry('Write audit rows to a file', () => import('./commands/audit/export.ts')),
  'audit trim': entry('Remove exported audit rows', () => import('./commands/audit/trim.ts')),
  'users update': entry('Update an account', () => import('./commands/users/update.ts')),
  'users delete': entry('Delete an account', () => import('./commands/users/delete.ts')),
  'users unlock': entry('Unlock an account', () => import('./commands/users/unlock.ts')),
  'roles list': entry('List roles', () => import('./commands/roles/list.ts')),
  'roles create': entry('Create a role', () => import('./commands/roles/create.ts')),
  'roles update': entry('Update a role', () => import('./commands/roles/update.ts')),
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
