import { data, having, type Judgement, later, nothing, outage, root } from './judgement.ts'

const jobs = 'functions/core/backups/jobs/check-job.ts'
const runs = 'functions/core/backups/jobs/run-rights.ts'
const operations = 'functions/core/operations/operation-record.ts'
const volumes = 'functions/core/backups/jobs/approve-volumes.ts'
const registries = 'functions/core/registries/origin.ts'
const outbound = 'functions/core/net/outbound-rules.ts'
const trim = 'functions/audit/trim.ts'

const reads = nothing('shows names and states, as to every viewer')
/** A job sends data to a server that its author names, and runs hooks as its author. */
const backsUp: Judgement = [
  nothing(
    'without the rights to its sources, only volumes that a setting shares with every stack',
    jobs,
  ),
  data(
    'sends secret files of stacks to a server of the caller',
    volumes,
    having('stacks:read', 'stacks:secrets'),
  ),
  data(
    'sends volumes of stacks to a server of the caller',
    volumes,
    having('stacks:read', 'stacks:deploy'),
  ),
  data('sends every volume to a server of the caller', undefined, having('stacks:privileged')),
  nothing(
    'the state of the service is encrypted for keys of the configuration',
    'functions/core/backups/runs/prepare-backup.ts',
    having('settings:manage'),
  ),
]
const managesRegistry = outage(
  'pulls of others with that account fail; it is sent nowhere else',
  registries,
)
const showsRegistries = nothing('shows user names, no passwords', 'functions/registries/schema.ts')
const showsVariables = nothing(
  'shows names of variables, no values',
  'functions/variables/schema.ts',
)
const showsSources = nothing(
  'shows user names and public keys, no passwords',
  'functions/sources/schema.ts',
)
const asksSource = outage(
  'asks a server that the network rules allow, with the credentials that are stored of it',
  'functions/core/sources/judge-source.ts',
)
const calledSource = outage(
  'whoever knows its secret has the source asked, while the account may manage sources',
  'functions/core/sources/source-hook.ts',
)
const readsFolders = outage(
  'asks the server of a source with its credentials, and shows the names of its folders',
  'functions/core/sources/judge-source.ts',
  having('stacks:read'),
)
const showsChannels = nothing(
  'shows where a channel leads, without secrets and URLs that contain one',
  'functions/alert-channels/schema.ts',
)
const routesAlerts = outage('sends a request to any address that the network rules allow', outbound)
const testsAlerts = outage(
  'sends a request to any address that the network rules allow, and shows the reason of a refusal',
  outbound,
)
const silences = outage('others get no alerts any more', 'functions/core/access/grant.ts')

/** Routes about backups, alerts, registries and the audit log, and the feed of events. */
export const service: Readonly<Record<string, Judgement>> = {
  'GET /backup-jobs': reads,
  'GET /backup-jobs/{id}': nothing(
    'shows a target without its secrets',
    'functions/backup-jobs/target.ts',
  ),
  'POST /backup-jobs': backsUp,
  'PUT /backup-jobs/{id}': backsUp,
  'POST /backup-jobs/{id}/run': nothing(
    'needs the rights to create the job, and runs as its account',
    jobs,
  ),
  'DELETE /backup-jobs/{id}': nothing('needs the rights to create the job', jobs),
  'GET /backup-runs': nothing('lists runs whose sources the caller may read', runs),
  'GET /backup-runs/{id}': nothing('shows a run whose sources the caller may read', runs),
  'DELETE /backup-runs/{id}': [
    nothing(
      'without the rights to its sources, only of volumes that a setting shares with every stack',
      'functions/core/backups/runs/remove-run.ts',
    ),
    data('deletes backups of stacks', undefined, having('stacks:read', 'stacks:secrets')),
  ],
  'POST /backup-runs/{id}/verify': nothing('reads a backup, and shows none of it', runs),
  'GET /operations': nothing('lists operations that the caller may start too', operations),
  'GET /operations/{id}': nothing('shows an operation that the caller may start too', operations),
  'POST /operations/{id}/cancel': [
    nothing('needs the rights to start such an operation', operations),
    outage('ends a pull of others, who can start it again', operations, having('images:pull')),
    outage(
      'ends a verification of others, who can start it again',
      operations,
      having('backups:manage'),
    ),
  ],
  'POST /backup-runs/{id}/restore': [
    nothing(
      'needs the rights to what it replaces, and to the volumes that were backed up',
      'functions/core/backups/restore/volume-owners.ts',
    ),
    data(
      'replaces volumes of stacks',
      'functions/core/owners/controlled-volumes.ts',
      having('volumes:read', 'stacks:read', 'stacks:deploy', 'containers:operate'),
    ),
    data(
      'replaces stacks',
      'functions/core/owners/enter-joined.ts',
      having('stacks:read', 'stacks:create', 'stacks:update', 'stacks:deploy', 'stacks:secrets'),
    ),
    data(
      'replaces every volume',
      undefined,
      having('volumes:read', 'containers:operate', 'stacks:privileged'),
    ),
  ],

  'GET /registries': showsRegistries,
  'GET /registries/{id}': showsRegistries,
  'POST /registries': managesRegistry,
  'PUT /registries/{id}': managesRegistry,
  'DELETE /registries/{id}': managesRegistry,

  'GET /variables': showsVariables,
  'GET /variables/{name}': showsVariables,
  'POST /variables': nothing(
    'no stack takes it until an account that may update the stack lists it',
    'functions/stacks/shared-variables.ts',
    having('stacks:privileged'),
  ),
  'PUT /variables/{name}': root(
    'a deploy by others starts a container that controls the host, with what a value says',
    undefined,
    { ...having('stacks:privileged'), ...later },
  ),
  'DELETE /variables/{name}': nothing(
    'is refused while a stack takes it',
    'functions/core/stacks/variable-set.ts',
    having('stacks:privileged'),
  ),

  'GET /sources': showsSources,
  'GET /sources/{name}': showsSources,
  'POST /sources': asksSource,
  'PUT /sources/{name}': asksSource,
  'POST /sources/{name}/look': asksSource,
  'GET /sources/{name}/folders': readsFolders,
  'GET /sources/{name}/hook': nothing(
    'shows the address of the hook, not its secret',
    'functions/sources/hook/schema.ts',
  ),
  'POST /sources/{name}/hook': calledSource,
  'POST /sources/{name}/hook/rotate': calledSource,
  'DELETE /sources/{name}/hook': outage('callers no longer have the source looked at'),
  'DELETE /sources/{name}': outage('a source of others is no longer looked at'),

  'GET /estate': nothing(
    'shows what the lists show that the caller may read, without secrets',
    'functions/estate/why-unseen.ts',
  ),
  'GET /estate/applies/{name}': nothing(
    'shows the steps of the caller, and to those who read the audit log the steps of others',
    'functions/estate/applies/get.ts',
  ),
  'POST /estate/apply': nothing(
    'each step is a request to the endpoint of its thing, with the credential of the caller',
    'functions/estate/send-request.ts',
  ),
  'POST /estate/plan': nothing(
    'changes nothing, and compares with what the caller may read, without secrets',
    'functions/estate/why-unseen.ts',
  ),

  'GET /update-policies': reads,
  'PUT /update-policies/{name}': outage(
    'deploys newer images of every stack that has no policy, where its account may deploy',
    'functions/core/updates/judge-policy.ts',
    having('stacks:deploy'),
  ),
  'DELETE /update-policies/{name}': outage('newer images of stacks are no longer deployed'),
  'GET /alert-channels': showsChannels,
  'GET /alert-channels/{id}': showsChannels,
  'POST /alert-channels': routesAlerts,
  'PUT /alert-channels/{id}': outage(
    'leads alerts of others elsewhere, without its stored secret',
    'functions/alert-channels/update.ts',
  ),
  'DELETE /alert-channels/{id}': silences,
  'POST /alert-channels/{id}/test': testsAlerts,
  'GET /alert-deliveries': reads,
  'GET /alert-deliveries/{id}': reads,
  'POST /alert-deliveries/{id}/retry': nothing('sends an alert again to where it belongs'),
  'GET /alert-rules': reads,
  'GET /alert-rules/{id}': reads,
  'POST /alert-rules': nothing('adds messages to channels'),
  'PUT /alert-rules/{id}': silences,
  'DELETE /alert-rules/{id}': silences,
  'GET /alerts': reads,
  'GET /alert-events': reads,
  'GET /metrics': reads,
  '/ws/events': nothing(
    'sends what the caller may read; addresses and accounts need audit:read',
    'functions/core/events/viewer.ts',
  ),

  'GET /audit': nothing('rows have no secrets'),
  'GET /audit/verify': nothing('says whether the chain is whole'),
  'GET /audit/export': nothing('rows have no secrets'),
  'POST /audit/trim': [
    nothing('needs the HMAC of the last row, which only an export shows', trim),
    data('removes the history, and leaves a row that says so', trim, having('audit:read')),
  ],
}
