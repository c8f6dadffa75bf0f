/** What the operations of each tag are about. A tag is a folder of `functions/`. */
const tags: Record<string, string> = {
  agents: 'What the agent of a remote host and its installation need',
  'alert-channels': 'Where alerts are sent: webhooks, chats, push services and mail',
  'alert-deliveries': 'Alerts that could not be sent yet, or at all',
  'alert-events': 'Past starts and ends of alerts',
  'alert-rules': 'Conditions under which alerts fire',
  alerts: 'Alerts that fire now',
  'api-tokens': 'Credentials for scripts',
  audit: 'Recorded changes and refused attempts, as a chain that shows tampering',
  auth: 'Login with a password or an identity provider, refresh and logout',
  'backup-jobs': 'What is backed up, when and where',
  'backup-runs': 'Backups that were made, and their verification and restore',
  'container-metrics': 'What running containers use, in their newest samples',
  'compose-projects': 'Running projects, also those of other tools, which can be adopted',
  containers: 'Containers of all hosts',
  docs: 'This description and its explorer',
  estate: 'Everything that the service manages, as one file',
  feeds: 'WebSocket feeds of logs, statistics, events and shells, and tickets to open them',
  health: 'Whether the service works',
  hooks: 'Where forges, registries and CI ask for a deployment or a look at a source',
  hosts: 'The local Docker Engine, and remote ones with an agent',
  images: 'Images of all hosts',
  me: 'Your own account, sessions, second factor and passkeys',
  metrics: 'Figures for Prometheus',
  operations: 'Long work that is not waited for, such as pulls',
  networks: 'Networks of all hosts',
  'oidc-providers': 'Identity providers for single sign-on',
  registries: 'Credentials of image registries',
  roles: 'Sets of permissions',
  'secret-keys': 'Keys that encrypt stored secrets',
  service: 'The service itself: where it runs, and its upgrade',
  settings: 'Settings of the service',
  setup: 'The first account of a new service',
  sources: 'Where files of stacks come from: projects in registries',
  stacks: 'Compose projects: their files, deployments, status and logs',
  'update-policies': 'What happens with newer images of stacks without a policy of their own',
  updates: 'Newer images for the services of stacks',
  users: 'Accounts',
  variables: 'Sets of variables that several stacks use',
  version: 'Version of the service',
  'volume-sizes': 'How much data volumes hold',
  volumes: 'Volumes of all hosts',
}

/**
 * Returns the tag of a description.
 *
 * @throws Error for a tag that is not described here
 */
export function tagOf(name: string): { name: string; description: string } {
  const description = tags[name]
  if (!description) throw new Error(`openapi/tags.ts: describe the tag ${name}`)
  return { name, description }
}
