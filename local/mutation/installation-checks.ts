import { type Mutation, mutation } from './mutation.ts'

const protect = 'functions/core/owners/protect-installation.ts'
const find = 'functions/core/owners/find-members.ts'
const [protectTests, findTests] = [
  ['functions/core/owners/protect-installation.test.ts'],
  ['functions/core/owners/find-members.test.ts'],
]
const endpoints = ['functions/containers/installation.test.ts', 'local/matrix/owners.test.ts']

/** Checks of what belongs to the service itself. */
export const checks: Mutation[] = [
  mutation(
    'installation: 409 of the Engine port',
    protect,
    "if (lacks(verb, 'installation')) throw",
    'if (false) throw',
    protectTests,
  ),
  mutation(
    'installation: what a container mounts and joins',
    protect,
    "if (one.action === 'create' || one.action === 'recreate') await uses(one)",
    "if (one.action === 'create' || one.action === 'recreate') return",
    protectTests,
  ),
  mutation(
    'installation: its names in a network of others',
    protect,
    'if (taken !== undefined) refuse',
    'if (false) refuse',
    protectTests,
  ),
  mutation(
    'installation: names of its images',
    protect,
    "refuse('replace-image', `image ${named}`)",
    '',
    protectTests,
  ),
  mutation(
    'installation: archives of its volumes',
    protect,
    "if (one.kind === 'volume') await volume('copy-volume', one.name)",
    "if (one.kind === 'volume') return",
    protectTests,
  ),
  mutation(
    'installation: its store',
    find,
    "add(await findStores(facts, records.processes), 'store')",
    '',
    findTests,
  ),
  mutation(
    'installation: agents of earlier versions',
    find,
    "add(await unknownAgents(facts, records.agents), 'agent')",
    '',
    findTests,
  ),
  mutation(
    'installation: processes that cannot find their container',
    find,
    "add(unknownServices(facts, records.processes), 'service')",
    '',
    findTests,
  ),
  mutation(
    'installation: labels of containers of stacks',
    find,
    '!stacks.has(project)',
    'true',
    findTests,
  ),
  mutation(
    'installation: agents of revoked hosts',
    'functions/core/owners/installation-records.ts',
    "agent?.state === 'enrolled'",
    'agent !== null',
    ['functions/core/owners/installation-records.test.ts'],
  ),
  mutation(
    'installation: stacks that were never deployed',
    'functions/core/owners/installation-records.ts',
    'stacks.filter(wasEverDeployed)',
    'stacks',
    ['functions/core/owners/installation-records.test.ts'],
  ),
  mutation(
    'installation: inspection',
    'functions/containers/get.ts',
    "await checkContainer('inspect', found.id, caller, engine)",
    '',
    endpoints,
  ),
  mutation(
    'installation: values of its environment',
    'functions/containers/get.ts',
    "!lacks('environment', owner, askingOf(caller))",
    "caller.permissions.has('containers:secrets')",
    endpoints,
  ),
  mutation(
    'installation: logs',
    'functions/containers/logs.ts',
    "await checkContainer('logs', path.id, caller, engine)",
    '',
    endpoints,
  ),
  mutation(
    'installation: removing what a label added',
    'functions/containers/remove.ts',
    "await checkContainer('remove', path.id, caller, engine)",
    '',
    endpoints,
  ),
  mutation(
    'installation: volumes and networks of a plan',
    'functions/core/owners/judge.ts',
    "if (isInstallation && lacks(useOf(reference), 'installation')) return 'installation'",
    '',
    ['functions/core/owners/judge.test.ts'],
  ),
  mutation(
    'networks of a project that is no stack',
    'functions/core/owners/judge.ts',
    "kind === 'network' && (project === undefined || isItsProject)",
    "kind === 'network'",
    ['functions/core/owners/judge.test.ts'],
  ),
]
