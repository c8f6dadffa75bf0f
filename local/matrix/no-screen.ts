const sameList = 'the list that the screens read has the same fields'
const forPrograms = 'programs sign in with it; browsers have a session of their own'
const forAgents = 'only agents call it'
const forTools = 'tools of programmers read it'
const resumes = 'it takes up an upload again, and a reloaded page no longer has the chosen files'
const copies = 'the client copies files: what a container sends must be unpacked with care'
const publishes = 'whoever publishes judges what leaves the house: the client asks for each kind'
const longWork = 'a screen waits for what it started; the client lists and cancels it'
const commits = 'the client keeps a container as an image, for those who debug one'

const pauses = 'an upgrade pauses itself; the client does before one with the commands of the host'

/** The operations that the browser UI does not use, each with the reason. */
export const noScreen: Readonly<Record<string, string>> = {
  'hooks.receive': 'forges, registries and CI call it',
  'health.get': 'load balancers and supervisors ask it',
  'metrics.get': 'Prometheus reads it',
  'docs.openapi-json': forTools,
  'docs.openapi-yaml': forTools,
  'docs.explorer': 'it is a page itself',
  'docs.file': 'the page of docs.explorer loads it',
  'auth.login': forPrograms,
  'auth.refresh': forPrograms,
  'auth.logout': forPrograms,
  'auth.oidc.exchange': forPrograms,
  'auth.oidc.callback': 'the identity provider sends the browser there',
  'users.get': sameList,
  'backup-jobs.get': sameList,
  'backup-runs.get': sameList,
  'stacks.jobs.get': sameList,
  'stacks.jobs.runs.get': sameList,
  'alert-rules.get': sameList,
  'alert-channels.get': sameList,
  'alert-deliveries.get': sameList,
  'api-tokens.get': sameList,
  'images.get': sameList,
  'me.sessions.get': sameList,
  'networks.get': sameList,
  'oidc-providers.get': sameList,
  'registries.get': sameList,
  'sources.get': 'the list has all of each source',
  'variables.get': sameList,
  'estate.applies.get': 'programs ask how an apply ended',
  'estate.apply': 'the client sends a file',
  'estate.get': 'the client writes it to a file',
  'estate.plan': 'the client sends a file',
  'sources.folders': 'the client lets stacks follow sources',
  'hosts.upgrade': 'the client asks for it and waits; the list of hosts shows it',
  'roles.get': sameList,
  'secret-keys.get': sameList,
  'volumes.get': sameList,
  'stacks.files.list': 'stacks.get has the same files',
  'stacks.file.update': 'the editor saves all changed files as one revision, with stacks.update',
  'stacks.file.remove': 'the editor saves all changed files as one revision, with stacks.update',
  'stacks.contents.get': 'the client writes all files of a stack into a directory',
  'stacks.uploads.get': resumes,
  'stacks.adopt.get': resumes,
  'operations.list': longWork,
  'stacks.publish': publishes,
  'stacks.services.commit': commits,
  'containers.archive.update': copies,
  'feeds.archive': copies,
  'service.pause.create': pauses,
  'agents.enroll': forAgents,
  'agents.install': 'the command that enrols a host downloads it',
  'agents.program': forAgents,
}
