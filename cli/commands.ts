import type { Commands, ListedCommand } from './command.ts'
import { groupsOf, longerOf } from './command-list.ts'

/** Every command by the words that call it. Each is loaded when it is called. */
export const commands: Commands = {
  'stacks list': entry('List stacks', () => import('./commands/stacks/list.ts')),
  'stacks get': entry('Print the files of a stack', () => import('./commands/stacks/get.ts')),
  'stacks files': entry('List the files of a stack', () => import('./commands/stacks/files.ts')),
  'stacks create': entry('Save a new stack', () => import('./commands/stacks/create.ts')),
  'stacks update': entry('Save changed files', () => import('./commands/stacks/update.ts')),
  'stacks download': entry(
    'Write the files of a stack into a directory',
    () => import('./commands/stacks/download.ts'),
  ),
  'stacks delete': entry('Delete a stack', () => import('./commands/stacks/delete.ts')),
  'stacks forget': entry(
    'Remove a stack from the service alone',
    () => import('./commands/stacks/forget.ts'),
  ),
  'stacks validate': entry(
    'Find all problems of the files of a stack',
    () => import('./commands/stacks/validate.ts'),
  ),
  'stacks config': entry(
    'Print the resolved model of a stack',
    () => import('./commands/stacks/config.ts'),
  ),
  'stacks diff': entry('Compare the files of a stack', () => import('./commands/stacks/diff.ts')),
  'stacks plan': entry('Preview a deploy', () => import('./commands/stacks/plan.ts')),
  'stacks check': entry(
    'Show the stacks that a new version refuses',
    () => import('./commands/stacks/check.ts'),
  ),
  'stacks deploy': entry('Deploy a stack', () => import('./commands/stacks/deploy.ts')),
  'stacks deployments': entry(
    'List the deployments of a stack',
    () => import('./commands/stacks/deployments.ts'),
  ),
  'stacks deployments get': entry(
    'Show a deployment',
    () => import('./commands/stacks/deployments/get.ts'),
  ),
  'stacks deployments watch': entry(
    'Follow a deployment',
    () => import('./commands/stacks/deployments/watch.ts'),
  ),
  'stacks cancel': entry('Cancel a deployment', () => import('./commands/stacks/cancel.ts')),
  'stacks rollback': entry('Roll a stack back', () => import('./commands/stacks/rollback.ts')),
  'stacks undo': entry('Undo an update with its data', () => import('./commands/stacks/undo.ts')),
  'stacks projects': entry(
    'List running compose projects',
    () => import('./commands/stacks/projects.ts'),
  ),
  'stacks adopt': entry(
    'Adopt a running compose project',
    () => import('./commands/stacks/adopt.ts'),
  ),
  'stacks publish': entry(
    'Publish a stack to a registry',
    () => import('./commands/stacks/publish.ts'),
  ),
  'stacks update-policy': entry(
    'Show or set what happens with newer images of a stack',
    () => import('./commands/stacks/update-policy.ts'),
  ),
  'stacks variables': entry(
    'Show or set which shared variables a stack takes',
    () => import('./commands/stacks/variables.ts'),
  ),
  'stacks held-back': entry(
    'List images that were bad in an update, or allow one again',
    () => import('./commands/stacks/held-back.ts'),
  ),
  'stacks hook': entry('Show the hook of a stack', () => import('./commands/stacks/hook.ts')),
  'stacks hook create': entry(
    'Make an address that deploys a stack',
    () => import('./commands/stacks/hook/create.ts'),
  ),
  'stacks hook rotate': entry(
    'Give the hook of a stack another secret',
    () => import('./commands/stacks/hook/rotate.ts'),
  ),
  'stacks hook delete': entry(
    'Delete the hook of a stack',
    () => import('./commands/stacks/hook/delete.ts'),
  ),
  'stacks jobs': entry(
    'List the jobs of a stack, or show one',
    () => import('./commands/stacks/jobs.ts'),
  ),
  'stacks jobs create': entry(
    'Run a command of a service on a schedule',
    () => import('./commands/stacks/jobs/create.ts'),
  ),
  'stacks jobs update': entry(
    'Change a job of a stack',
    () => import('./commands/stacks/jobs/update.ts'),
  ),
  'stacks jobs delete': entry(
    'Delete a job of a stack',
    () => import('./commands/stacks/jobs/delete.ts'),
  ),
  'stacks jobs run': entry(
    'Run a job of a stack now',
    () => import('./commands/stacks/jobs/run.ts'),
  ),
  'stacks jobs runs': entry(
    'List the runs of a job, or show one with its log',
    () => import('./commands/stacks/jobs/runs.ts'),
  ),
  'stacks source': entry(
    'Show the source that a stack follows',
    () => import('./commands/stacks/source.ts'),
  ),
  'stacks source set': entry(
    'Let a stack follow a source',
    () => import('./commands/stacks/source/set.ts'),
  ),
  'stacks source sync': entry(
    'Take what the source of a stack has now',
    () => import('./commands/stacks/source/sync.ts'),
  ),
  'stacks source status': entry(
    'Show the source that a stack follows',
    () => import('./commands/stacks/source/status.ts'),
  ),
  'stacks source unset': entry(
    'Let a stack follow no source',
    () => import('./commands/stacks/source/unset.ts'),
  ),
  'stacks status': entry(
    'Show the services of a stack',
    () => import('./commands/stacks/status.ts'),
  ),
  'stacks logs': entry('Print the logs of a stack', () => import('./commands/stacks/logs.ts')),
  'stacks stats': entry(
    'Watch the resource usage of a stack',
    () => import('./commands/stacks/stats.ts'),
  ),
  'stacks top': entry('Show the processes of a stack', () => import('./commands/stacks/top.ts')),
  'stacks start': entry('Start services', () => import('./commands/stacks/start.ts')),
  'stacks stop': entry('Stop a stack or services', () => import('./commands/stacks/stop.ts')),
  'stacks restart': entry(
    'Restart the services of a stack',
    () => import('./commands/stacks/restart.ts'),
  ),
  'stacks pause': entry('Pause services', () => import('./commands/stacks/pause.ts')),
  'stacks unpause': entry('Unpause services', () => import('./commands/stacks/unpause.ts')),
  'stacks scale': entry('Scale services', () => import('./commands/stacks/scale.ts')),
  'stacks down': entry('Take a stack down', () => import('./commands/stacks/down.ts')),
  'stacks pull': entry('Pull the images of services', () => import('./commands/stacks/pull.ts')),
  'stacks build': entry('Build the images of services', () => import('./commands/stacks/build.ts')),
  'stacks exec': entry(
    'Run a command in a container of a service',
    () => import('./commands/stacks/exec.ts'),
  ),
  'stacks run': entry(
    'Run a command in a new container of a service',
    () => import('./commands/stacks/run.ts'),
  ),
  'stacks cp': entry('Copy files from or to a service', () => import('./commands/stacks/cp.ts')),
  'stacks commit': entry(
    'Make an image of a container',
    () => import('./commands/stacks/commit.ts'),
  ),
  'stacks wait': entry('Wait until services end', () => import('./commands/stacks/wait.ts')),
  updates: entry(
    'List newer images of services, or take them',
    () => import('./commands/updates.ts'),
  ),
  'import dockge': entry(
    'Import the stacks of Dockge',
    () => import('./commands/import/dockge.ts'),
  ),
  'import portainer': entry(
    'Import the stacks of Portainer',
    () => import('./commands/import/portainer.ts'),
  ),
  'import komodo': entry(
    'Import the stacks of Komodo',
    () => import('./commands/import/komodo.ts'),
  ),
  'variables list': entry(
    'List sets of shared variables',
    () => import('./commands/variables/list.ts'),
  ),
  'variables get': entry(
    'Show a set of shared variables',
    () => import('./commands/variables/get.ts'),
  ),
  'variables set': entry(
    'Change or create a set of shared variables',
    () => import('./commands/variables/set.ts'),
  ),
  'variables delete': entry(
    'Delete a set of shared variables',
    () => import('./commands/variables/delete.ts'),
  ),
  'sources list': entry('List sources of stacks', () => import('./commands/sources/list.ts')),
  'sources get': entry('Show a source of stacks', () => import('./commands/sources/get.ts')),
  'sources create': entry(
    'Create a source of stacks',
    () => import('./commands/sources/create.ts'),
  ),
  'sources update': entry(
    'Change a source of stacks',
    () => import('./commands/sources/update.ts'),
  ),
  'sources look': entry(
    'Look at a source of stacks now',
    () => import('./commands/sources/look.ts'),
  ),
  'sources scan': entry(
    'List the folders of a source and their stacks',
    () => import('./commands/sources/scan.ts'),
  ),
  'sources hook': entry('Show the hook of a source', () => import('./commands/sources/hook.ts')),
  'sources hook create': entry(
    'Make an address whose calls begin a look at a source',
    () => import('./commands/sources/hook/create.ts'),
  ),
  'sources hook rotate': entry(
    'Give the hook of a source another secret',
    () => import('./commands/sources/hook/rotate.ts'),
  ),
  'sources hook delete': entry(
    'Delete the hook of a source',
    () => import('./commands/sources/hook/delete.ts'),
  ),
  'sources delete': entry(
    'Delete a source of stacks',
    () => import('./commands/sources/delete.ts'),
  ),
  'containers list': entry('List containers', () => import('./commands/containers/list.ts')),
  'containers get': entry(
    'Show the settings of a container',
    () => import('./commands/containers/get.ts'),
  ),
  'containers logs': entry(
    'Print the logs of a container',
    () => import('./commands/containers/logs.ts'),
  ),
  'containers stats': entry(
    'Watch the resource usage of containers',
    () => import('./commands/containers/stats.ts'),
  ),
  'containers metrics': entry(
    'Show the past resource usage of a container',
    () => import('./commands/containers/metrics.ts'),
  ),
  'containers history': entry(
    'Show the resource usage of a container over days',
    () => import('./commands/containers/history.ts'),
  ),
  'containers exec': entry(
    'Run a command in a container',
    () => import('./commands/containers/exec.ts'),
  ),
  'containers cp': entry(
    'Copy files from or to a container',
    () => import('./commands/containers/cp.ts'),
  ),
  'containers compose': entry(
    'Write containers as a compose file',
    () => import('./commands/containers/compose.ts'),
  ),
  'containers delete': entry('Remove a container', () => import('./commands/containers/delete.ts')),
  'images list': entry('List images', () => import('./commands/images/list.ts')),
  'images get': entry('Show an image', () => import('./commands/images/get.ts')),
  'images pull': entry('Pull an image', () => import('./commands/images/pull.ts')),
  'images delete': entry('Remove an image', () => import('./commands/images/delete.ts')),
  'images prune': entry('Remove unused images', () => import('./commands/images/prune.ts')),
  'volumes list': entry('List volumes', () => import('./commands/volumes/list.ts')),
  'volumes get': entry('Show a volume', () => import('./commands/volumes/get.ts')),
  'volumes delete': entry('Remove a volume', () => import('./commands/volumes/delete.ts')),
  'networks list': entry('List networks', () => import('./commands/networks/list.ts')),
  'networks get': entry('Show a network', () => import('./commands/networks/get.ts')),
  'networks delete': entry('Remove a network', () => import('./commands/networks/delete.ts')),
  'registries list': entry('List registries', () => import('./commands/registries/list.ts')),
  'registries get': entry('Show a registry', () => import('./commands/registries/get.ts')),
  'registries create': entry(
    'Store the credentials of a registry',
    () => import('./commands/registries/create.ts'),
  ),
  'registries update': entry(
    'Change the credentials of a registry',
    () => import('./commands/registries/update.ts'),
  ),
  'registries delete': entry(
    'Delete the credentials of a registry',
    () => import('./commands/registries/delete.ts'),
  ),
  'hosts list': entry('List hosts', () => import('./commands/hosts/list.ts')),
  'hosts get': entry('Show a host', () => import('./commands/hosts/get.ts')),
  'hosts metrics': entry(
    'Show the past resource usage of a host',
    () => import('./commands/hosts/metrics.ts'),
  ),
  'hosts history': entry(
    'Show the resource usage of a host over days',
    () => import('./commands/hosts/history.ts'),
  ),
  'hosts enrol': entry(
    'Add a host, or re-enrol its agent',
    () => import('./commands/hosts/enrol.ts'),
  ),
  'hosts update': entry(
    'Rename or tag a host, or set its address',
    () => import('./commands/hosts/update.ts'),
  ),
  'hosts prune-policy': entry(
    'Show or set which unused images of a host are removed on a schedule',
    () => import('./commands/hosts/prune-policy.ts'),
  ),
  'hosts upgrade': entry('Upgrade agents', () => import('./commands/hosts/upgrade.ts')),
  'hosts revoke': entry('Revoke a host', () => import('./commands/hosts/revoke.ts')),
  'hosts delete': entry(
    'Delete a host that is gone for good',
    () => import('./commands/hosts/delete.ts'),
  ),
  events: entry('Follow events', () => import('./commands/events.ts')),
  'operations list': entry('List operations', () => import('./commands/operations/list.ts')),
  'operations get': entry('Show an operation', () => import('./commands/operations/get.ts')),
  'operations watch': entry('Follow an operation', () => import('./commands/operations/watch.ts')),
  'operations cancel': entry(
    'Cancel an operation',
    () => import('./commands/operations/cancel.ts'),
  ),
  'service pause': entry(
    'Let no deployment, backup or restore begin',
    () => import('./commands/service/pause.ts'),
  ),
  'service resume': entry('End a pause', () => import('./commands/service/resume.ts')),
  upgrade: entry('Upgrade the service', () => import('./commands/upgrade.ts')),
  'backups jobs': entry('List backup jobs', () => import('./commands/backups/jobs.ts')),
  'backups get': entry('Show a backup job', () => import('./commands/backups/get.ts')),
  'backups create': entry('Create a backup job', () => import('./commands/backups/create.ts')),
  'backups update': entry('Update a backup job', () => import('./commands/backups/update.ts')),
  'backups take-over': entry(
    'Take over a backup job',
    () => import('./commands/backups/take-over.ts'),
  ),
  'backups delete': entry('Delete a backup job', () => import('./commands/backups/delete.ts')),
  'backups run': entry('Run a backup job now', () => import('./commands/backups/run.ts')),
  'backups runs': entry('List backup and restore runs', () => import('./commands/backups/runs.ts')),
  'backups runs get': entry(
    'Show a backup or restore run',
    () => import('./commands/backups/runs/get.ts'),
  ),
  'backups verify': entry('Verify a backup', () => import('./commands/backups/verify.ts')),
  'backups delete-run': entry('Delete a backup', () => import('./commands/backups/delete-run.ts')),
  'backups restore': entry('Restore a backup', () => import('./commands/backups/restore.ts')),
  'alerts list': entry('List alerts', () => import('./commands/alerts/list.ts')),
  'alerts rules': entry('List alert rules', () => import('./commands/alerts/rules.ts')),
  'alerts rules get': entry('Show an alert rule', () => import('./commands/alerts/rules/get.ts')),
  'alerts rules create': entry(
    'Create an alert rule',
    () => import('./commands/alerts/rules/create.ts'),
  ),
  'alerts rules update': entry(
    'Update an alert rule',
    () => import('./commands/alerts/rules/update.ts'),
  ),
  'alerts rules delete': entry(
    'Delete an alert rule',
    () => import('./commands/alerts/rules/delete.ts'),
  ),
  'alerts history': entry('List past alerts', () => import('./commands/alerts/history.ts')),
  'alerts channels': entry('List alert channels', () => import('./commands/alerts/channels.ts')),
  'alerts channels get': entry(
    'Show an alert channel',
    () => import('./commands/alerts/channels/get.ts'),
  ),
  'alerts channels create': entry(
    'Create an alert channel',
    () => import('./commands/alerts/channels/create.ts'),
  ),
  'alerts channels update': entry(
    'Update an alert channel',
    () => import('./commands/alerts/channels/update.ts'),
  ),
  'alerts channels delete': entry(
    'Delete an alert channel',
    () => import('./commands/alerts/channels/delete.ts'),
  ),
  'alerts test': entry('Test an alert channel', () => import('./commands/alerts/test.ts')),
  'alerts deliveries': entry(
    'List pending and dead alert deliveries',
    () => import('./commands/alerts/deliveries.ts'),
  ),
  'alerts deliveries get': entry(
    'Show an alert delivery',
    () => import('./commands/alerts/deliveries/get.ts'),
  ),
  'alerts deliveries retry': entry(
    'Send a dead delivery again',
    () => import('./commands/alerts/deliveries/retry.ts'),
  ),
  whoami: entry('Show who is logged in', () => import('./commands/whoami.ts')),
  password: entry('Change your password', () => import('./commands/password.ts')),
  'mfa enable': entry('Start setting up a second factor', () => import('./commands/mfa/enable.ts')),
  'mfa verify': entry('Enable the second factor', () => import('./commands/mfa/verify.ts')),
  'mfa disable': entry('Disable the second factor', () => import('./commands/mfa/disable.ts')),
  'mfa passkeys': entry('List your passkeys', () => import('./commands/mfa/passkeys.ts')),
  'mfa delete-passkey': entry(
    'Delete one of your passkeys',
    () => import('./commands/mfa/delete-passkey.ts'),
  ),
  'sessions list': entry('List your sessions', () => import('./commands/sessions/list.ts')),
  'sessions get': entry('Show one of your sessions', () => import('./commands/sessions/get.ts')),
  'sessions revoke': entry(
    'End one of your sessions, or all others',
    () => import('./commands/sessions/revoke.ts'),
  ),
  'tokens list': entry('List API tokens', () => import('./commands/tokens/list.ts')),
  'tokens get': entry('Show an API token', () => import('./commands/tokens/get.ts')),
  'tokens create': entry('Create an API token', () => import('./commands/tokens/create.ts')),
  'tokens revoke': entry('Revoke an API token', () => import('./commands/tokens/revoke.ts')),
  'users list': entry('List accounts', () => import('./commands/users/list.ts')),
  'users get': entry('Show an account', () => import('./commands/users/get.ts')),
  'users create': entry('Create an account', () => import('./commands/users/create.ts')),
  'users update': entry('Update an account', () => import('./commands/users/update.ts')),
  'users delete': entry('Delete an account', () => import('./commands/users/delete.ts')),
  'users unlock': entry('Unlock an account', () => import('./commands/users/unlock.ts')),
  'users reset-mfa': entry(
    'Disable the second factor of a user',
    () => import('./commands/users/reset-mfa.ts'),
  ),
  'roles list': entry('List roles', () => import('./commands/roles/list.ts')),
  'roles get': entry('Show a role', () => import('./commands/roles/get.ts')),
  'roles create': entry('Create a role', () => import('./commands/roles/create.ts')),
  'roles update': entry('Update a role', () => import('./commands/roles/update.ts')),
  'roles delete': entry('Delete a role', () => import('./commands/roles/delete.ts')),
  'providers list': entry('List identity providers', () => import('./commands/providers/list.ts')),
  'providers get': entry('Show an identity provider', () => import('./commands/providers/get.ts')),
  'providers create': entry(
    'Add an identity provider',
    () => import('./commands/providers/create.ts'),
  ),
  'providers update': entry(
    'Update an identity provider',
    () => import('./commands/providers/update.ts'),
  ),
  'providers delete': entry(
    'Delete an identity provider',
    () => import('./commands/providers/delete.ts'),
  ),
  'settings list': entry('List settings', () => import('./commands/settings/list.ts')),
  'settings get': entry('Show a setting', () => import('./commands/settings/get.ts')),
  'settings unset': entry('Reset a setting', () => import('./commands/settings/unset.ts')),
  'settings set': entry('Change a setting', () => import('./commands/settings/set.ts')),
  'update-policies list': entry(
    'List the update policies that stacks inherit',
    () => import('./commands/update-policies/list.ts'),
  ),
  'update-policies set': entry(
    'Set an update policy that stacks inherit',
    () => import('./commands/update-policies/set.ts'),
  ),
  'update-policies delete': entry(
    'Delete an update policy that stacks inherit',
    () => import('./commands/update-policies/delete.ts'),
  ),
  export: entry('Write everything into one file', () => import('./commands/export.ts')),
  apply: entry('Apply a file of everything', () => import('./commands/apply.ts')),
  'keys list': entry(
    'List the encryption keys of stored secrets',
    () => import('./commands/keys/list.ts'),
  ),
  'keys get': entry('Show an encryption key', () => import('./commands/keys/get.ts')),
  'keys rotate': entry(
    'Rotate the encryption key of stored secrets',
    () => import('./commands/keys/rotate.ts'),
  ),
  'keys delete': entry('Delete an old encryption key', () => import('./commands/keys/delete.ts')),
  'audit list': entry('List audit rows', () => import('./commands/audit/list.ts')),
  'audit verify': entry('Verify the audit rows', () => import('./commands/audit/verify.ts')),
  'audit export': entry('Write audit rows to a file', () => import('./commands/audit/export.ts')),
  'audit trim': entry('Remove exported audit rows', () => import('./commands/audit/trim.ts')),
  setup: entry('Create the first admin of a new service', () => import('./commands/setup.ts')),
  login: entry('Log in to a service', () => import('./commands/login.ts')),
  logout: entry('End the session', () => import('./commands/logout.ts')),
  'contexts list': entry('List saved logins', () => import('./commands/contexts/list.ts')),
  'contexts use': entry('Use another saved login', () => import('./commands/contexts/use.ts')),
  'contexts delete': entry('Delete a saved login', () => import('./commands/contexts/delete.ts')),
  open: entry('Open the browser UI', () => import('./commands/open.ts')),
  api: entry('Send a request to the API', () => import('./commands/api.ts')),
  mcp: entry('Serve tools to an assistant over MCP', () => import('./commands/mcp.ts')),
  version: entry(
    'Show the versions of the client and the service',
    () => import('./commands/version.ts'),
  ),
  completion: entry('Complete commands in a shell', () => import('./commands/completion.ts')),
}

function entry(summary: string, load: ListedCommand['load']): ListedCommand {
  return { summary, load }
}

export const groups = groupsOf(commands)
export const longer = longerOf(commands)
