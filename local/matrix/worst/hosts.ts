import { data, having, type Judgement, later, nothing, outage, root } from './judgement.ts'

const entering = 'functions/core/owners/enter-container.ts'
const installation = 'functions/core/owners/protect-installation.ts'
const owners = 'functions/core/owners/container-owner.ts'

const removal = 'functions/core/owners/check-thing-removal.ts'
const ofStacks = having('stacks:read', 'stacks:deploy')

const reads = nothing('shows names and states, as to every viewer')
const readsLogs = nothing('shows what a program prints; not that of the service itself', owners)
const readsValues: Judgement = [
  nothing('hides the values of variables; those of the service itself from everyone', owners),
  data('shows the values of variables', undefined, having('containers:secrets')),
]
const operates = outage('stops containers of others; not those of the service itself', installation)
const enters: Judgement = [
  data(
    'has the files, volumes and secrets of a container that has nothing beyond its stack',
    entering,
  ),
  root('enters a container that controls the host', undefined, having('stacks:privileged')),
]

/** Routes about hosts and what is on them, apart from stacks. */
export const hosts: Readonly<Record<string, Judgement>> = {
  'GET /containers': reads,
  'POST /containers/compose': readsValues,
  'GET /containers/{id}': readsValues,
  'GET /containers/{id}/logs': readsLogs,
  'GET /containers/{id}/metrics': reads,
  'GET /containers/{id}/history': reads,
  'GET /container-metrics': reads,
  'POST /containers/{id}/start': nothing('starts what others stopped'),
  'POST /containers/{id}/stop': operates,
  'POST /containers/{id}/restart': operates,
  'POST /containers/{id}/kill': operates,
  'DELETE /containers/{id}': outage(
    'removes containers of others; their volumes stay',
    installation,
  ),
  'GET /containers/{id}/archive': enters,
  'PUT /containers/{id}/archive': enters,
  '/ws/logs/{id}': readsLogs,
  '/ws/stats/{id}': reads,
  '/ws/exec/{id}': enters,
  '/ws/archive/{id}': enters,
  '/ws/attach/{id}': data(
    'attaches to a container of `run`, for the account that created it',
    entering,
  ),

  'GET /updates': reads,
  'POST /updates/check': nothing(
    'asks registries that stacks name for what they have, at most once a minute for a tag',
    'functions/core/updates/ask-soon.ts',
  ),
  'GET /images': reads,
  'GET /images/{id}': reads,
  'POST /images/pull': [
    outage(
      'fills the disk, or moves a name to what its registry has now',
      'functions/core/images/permit-pull.ts',
    ),
    data(
      'sends the credentials of registries to a host of the caller',
      undefined,
      having('hosts:manage'),
    ),
  ],
  '/ws/images/pull': [
    outage('as POST /images/pull', 'functions/core/images/permit-pull.ts'),
    data('as POST /images/pull', undefined, having('hosts:manage')),
  ],
  'POST /images/prune': outage(
    'removes nameless images that a rollback to a deployment before the last three would need',
    'functions/core/images/remove-unused.ts',
  ),
  'DELETE /images/{id}': outage(
    'removes images of stacks that the caller may deploy',
    'functions/core/images/check-removal.ts',
  ),
  'GET /networks': reads,
  'GET /networks/{id}': reads,
  'DELETE /networks/{id}': [
    outage('removes networks of stacks that the caller may deploy', removal, ofStacks),
    outage('removes every network that is not in use', removal, having('stacks:privileged')),
  ],
  'GET /volumes': reads,
  'GET /volumes/{name}': reads,
  'GET /volume-sizes': reads,
  'DELETE /volumes/{name}': [
    data('removes volumes of stacks that the caller may deploy', removal, ofStacks),
    data('removes every volume that is not in use', removal, having('stacks:privileged')),
  ],

  'GET /hosts': reads,
  'GET /hosts/{id}': reads,
  'GET /hosts/{id}/metrics': reads,
  'GET /hosts/{id}/history': reads,
  'GET /hosts/{id}/prune-policy': reads,
  'GET /hosts/{id}/prune-policy/preview': reads,
  'PUT /hosts/{id}/prune-policy': outage(
    'as POST /images/prune, on a schedule, with the rights of the caller',
    'functions/core/prune-policies/judge-prune.ts',
  ),
  'DELETE /hosts/{id}/prune-policy': outage('unused images fill the disk'),
  'POST /hosts': [
    nothing('adds a machine of the caller, which gets nothing yet'),
    data('a deploy by others to it sends their secrets', undefined, later),
  ],
  'PUT /hosts/{id}': outage(
    'takes a host out of the scope of others, or leads their links elsewhere',
    'functions/hosts/update.ts',
  ),
  'DELETE /hosts/{id}': [
    outage(
      'disconnects a host; its containers keep running',
      'functions/core/host-removal/delete-host.ts',
    ),
    data('forgets the stacks of a host', undefined, having('stacks:delete')),
  ],
  'POST /hosts/{id}/revoke': outage(
    'disconnects a host; its containers keep running',
    'functions/core/host-removal/delete-host.ts',
  ),
  'POST /hosts/upgrade': outage(
    'agents disconnect for seconds, and run the program of this service',
    'functions/core/agent-upgrades/upgrade-agents.ts',
  ),
  'POST /hosts/{id}/enrolment': [
    nothing('only for a host that never had an agent', 'functions/hosts/enrolment/create.ts'),
    data(
      'takes the place of a host, and gets what is deployed there',
      undefined,
      having('stacks:privileged'),
    ),
  ],
}
