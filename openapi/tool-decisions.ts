/**
 * What `cli mcp` makes of an operation: a tool that reads, a tool that changes something after its
 * plan was seen, or no tool.
 */
export type ToolDecision = ReadTool | ChangeTool | { kind: 'left out'; why: string }

interface Limits {
  /** Parameters and fields of the body that the tool does not offer. */
  without: readonly string[]
  /** Fields of the response that are secret. The client leaves their values out. */
  hide: readonly string[]
}

interface ReadTool extends Limits {
  kind: 'read'
}

interface ChangeTool extends Limits {
  kind: 'change'
  /** How the change is planned: the name of a planner in `cli/mcp/planners.ts`. */
  plan: string
}

type Decided = readonly [id: string, decision: ToolDecision]

const reads = (...ids: readonly string[]): Decided[] =>
  ids.map((id) => [id, { kind: 'read', without: [], hide: [] }])

const read = (id: string, { without = [], hide = [] }: Partial<Limits>): Decided => [
  id,
  { kind: 'read', without, hide },
]

const changes = (plan: string, ...ids: readonly string[]): Decided[] =>
  ids.map((id) => [id, { kind: 'change', plan, without: [], hide: [] }])

const change = (
  plan: string,
  id: string,
  { without = [], hide = [] }: Partial<Limits>,
): Decided => [id, { kind: 'change', plan, without, hide }]

const leftOut = (why: string, ...ids: readonly string[]): Decided[] =>
  ids.map((id) => [id, { kind: 'left out', why }])

/** A decision for each operation of the API. A new operation needs one: a test names it. */
export const toolDecisions: readonly Decided[] = [
  ...reads('health.get', 'version.get', 'me.get', 'service.upgrade.get'),

  // No tool returns a secret, also to a token with `stacks:secrets`.
  read('stacks.get', { hide: ['env'] }),
  read('stacks.file.get', { hide: ['content', 'base64', 'variables'] }),
  // A problem quotes the value that is wrong. Texts of the caller beside stored files would let it
  // ask for any value of those, so this tool checks the texts alone.
  read('stacks.validate', { without: ['env', 'stack', 'revision'] }),
  read('containers.get', { hide: ['env'] }),
  ...reads('stacks.list', 'stacks.files.list', 'stacks.plan', 'stacks.status', 'stacks.logs'),
  ...reads('stacks.deployments.list', 'stacks.deployments.get', 'stacks.services.top'),
  ...reads('stacks.update-policy.get', 'stacks.source.get', 'stacks.held-back-images.list'),
  ...reads('stacks.jobs.list', 'stacks.jobs.get', 'stacks.jobs.runs.list', 'stacks.jobs.runs.get'),
  // The names of shared variables. The API never returns their values.
  ...reads('variables.list', 'variables.get'),
  ...reads('compose-projects.list', 'updates.list'),
  ...reads('containers.list', 'containers.logs', 'containers.metrics', 'containers.usage'),
  ...reads('containers.history', 'hosts.history'),
  ...reads('images.list', 'images.get', 'networks.list', 'networks.get'),
  ...reads('volumes.list', 'volumes.get', 'volumes.sizes'),
  ...reads('hosts.list', 'hosts.get', 'hosts.metrics'),
  ...reads('hosts.prune-policy.get', 'hosts.prune-policy.preview'),
  ...reads('backup-jobs.list', 'backup-jobs.get', 'backup-runs.list', 'backup-runs.get'),
  ...reads('operations.list', 'operations.get'),
  ...reads('alerts.list', 'alert-events.list', 'alert-rules.list', 'alert-rules.get'),
  ...reads('sources.list', 'sources.get', 'sources.folders'),
  ...reads('audit.list'),

  ...changes('deploy', 'stacks.deploy'),
  ...changes('rollback', 'stacks.rollback'),
  // Overlays that are not listed are deleted, and `.env` is secret. The plan shows files only.
  change('files', 'stacks.update', {
    without: ['env', 'overlays', 'unsent_data', 'revision', 'shared_variables'],
  }),
  ...changes('services', 'stacks.stop', 'stacks.restart'),
  ...changes('services', 'stacks.services.start', 'stacks.services.stop'),
  ...changes('services', 'stacks.services.restart'),
  ...changes('services', 'stacks.services.pause', 'stacks.services.unpause'),
  ...changes('scale', 'stacks.services.scale'),
  ...changes('container', 'containers.start', 'containers.stop', 'containers.restart'),
  ...changes('pull', 'images.pull'),
  change('prune', 'images.prune', { without: ['dry_run'] }),
  ...changes('backup', 'backup-jobs.run'),
  ...changes('cancel-deployment', 'stacks.deployments.cancel'),
  ...changes('cancel-operation', 'operations.cancel'),

  ...leftOut(
    'has secrets, of files or of variables, for those who may read them',
    ...['stacks.contents.get', 'stacks.config', 'stacks.diff', 'containers.compose'],
    ...['estate.get', 'estate.plan', 'estate.apply', 'estate.applies.get'],
  ),
  ...leftOut(
    'is about credentials, or values, addresses and keys that are secret',
    ...['stacks.hook.get', 'stacks.hook.create', 'stacks.hook.remove', 'stacks.hook.rotate'],
    ...['sources.hook.get', 'sources.hook.create', 'sources.hook.remove', 'sources.hook.rotate'],
    ...['sources.create', 'sources.update', 'sources.remove'],
    ...['registries.list', 'registries.get', 'registries.create', 'registries.update'],
    ...['registries.remove', 'alert-channels.list', 'alert-channels.get'],
    ...['alert-channels.create', 'alert-channels.update', 'alert-channels.remove'],
    ...['secret-keys.list', 'secret-keys.get', 'secret-keys.create', 'secret-keys.remove'],
    ...['backup-jobs.create', 'backup-jobs.update', 'setup.create'],
    ...['variables.create', 'variables.update', 'variables.remove'],
  ),
  ...leftOut(
    'is about accounts, rights or settings, which people decide',
    ...['oidc-providers.list', 'oidc-providers.get', 'oidc-providers.create'],
    ...['oidc-providers.update', 'oidc-providers.remove', 'users.list', 'users.get'],
    ...['users.create', 'users.update', 'users.remove', 'users.unlock', 'users.mfa.remove'],
    ...['roles.list', 'roles.get', 'roles.create', 'roles.update', 'roles.remove'],
    ...['settings.get', 'settings.sources', 'settings.update'],
    ...['api-tokens.list', 'api-tokens.get', 'api-tokens.create', 'api-tokens.remove'],
    ...['me.password.update', 'me.mfa.create', 'me.mfa.verify', 'me.mfa.disable'],
    ...['me.passkeys.list', 'me.passkeys.options', 'me.passkeys.create', 'me.passkeys.update'],
    'me.passkeys.remove',
    ...['me.sessions.list', 'me.sessions.get', 'me.sessions.remove', 'me.sessions.remove-others'],
    ...['update-policies.list', 'update-policies.update', 'update-policies.remove'],
    ...['stacks.update-policy.update', 'stacks.update-policy.remove'],
    ...['stacks.held-back-images.remove', 'hosts.prune-policy.update'],
    ...['hosts.prune-policy.remove', 'alert-rules.create', 'alert-rules.update'],
    ...['alert-rules.remove', 'stacks.source.update', 'stacks.source.remove'],
  ),
  ...leftOut(
    'signs a person in or out',
    ...['auth.login', 'auth.refresh', 'auth.logout', 'auth.browser.login'],
    ...['auth.browser.refresh', 'auth.browser.logout', 'auth.browser.exchange'],
    ...['auth.oidc.providers', 'auth.oidc.login', 'auth.oidc.callback', 'auth.oidc.exchange'],
    ...['auth.passkeys.get', 'auth.browser.passkey', 'setup.get'],
  ),
  ...leftOut(
    'destroys what no plan brings back: people do it with the client or in the browser',
    ...['stacks.remove', 'stacks.down', 'stacks.forget', 'stacks.undo', 'stacks.file.remove'],
    ...['containers.remove', 'containers.kill', 'images.remove', 'networks.remove'],
    ...['volumes.remove', 'hosts.remove', 'hosts.revoke', 'backup-jobs.remove'],
    ...['backup-runs.remove', 'backup-runs.restore', 'audit.trim'],
    'stacks.jobs.remove',
  ),
  ...leftOut(
    'runs a program in a container or says which, or reads and writes its files',
    ...['stacks.services.run', 'stacks.services.commit', 'feeds.exec', 'feeds.attach'],
    ...['feeds.archive', 'containers.archive.get', 'containers.archive.update'],
    ...['stacks.jobs.create', 'stacks.jobs.update', 'stacks.jobs.run'],
  ),
  ...leftOut(
    'has no plan that shows before what happens',
    ...['stacks.create', 'stacks.publish', 'stacks.source.sync', 'stacks.services.pull'],
    ...['stacks.services.build', 'updates.check', 'sources.look', 'backup-runs.verify'],
    ...['alert-channels.test', 'alert-deliveries.retry'],
  ),
  ...leftOut('is another tool for one file: stacks.update changes it too', 'stacks.file.update'),
  ...leftOut(
    'moves files in parts, which the client does from a folder',
    ...['stacks.uploads.create', 'stacks.uploads.get', 'stacks.uploads.parts.update'],
    ...['stacks.uploads.complete', 'stacks.adopt.create', 'stacks.adopt.get'],
    ...['stacks.adopt.parts.update', 'stacks.adopt.complete'],
  ),
  ...leftOut(
    'is about the service itself or its agents, which an operator handles',
    ...['service.upgrade.create', 'service.upgrade.check', 'service.pause.create'],
    ...['hosts.create', 'hosts.update', 'hosts.upgrade', 'hosts.enrolment.create'],
    ...['agents.enroll', 'agents.install', 'agents.program'],
  ),
  ...leftOut(
    'is a feed, which a tool cannot return: a tool reads the same once',
    ...['feeds.tickets.create', 'feeds.logs', 'feeds.stacks.logs', 'feeds.stats'],
    ...['feeds.events', 'feeds.images.pull'],
  ),
  ...leftOut(
    'is for other programs: forges, Prometheus, auditors or readers of this description',
    ...['hooks.receive', 'metrics.get', 'audit.export', 'audit.verify'],
    ...['docs.openapi-json', 'docs.openapi-yaml', 'docs.explorer', 'docs.file'],
    ...['alert-deliveries.list', 'alert-deliveries.get'],
  ),
]
