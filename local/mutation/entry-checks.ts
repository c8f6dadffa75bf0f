import { type Mutation, mutation } from './mutation.ts'

const degrees = ['functions/core/owners/container-degree']
const entering = ['functions/containers/entering']

/** Checks of who may enter a container: a command, its files, an image of it. */
export const checks: Mutation[] = [
  mutation(
    'entering: a container that controls its host',
    'functions/core/owners/enter-container.ts',
    'if (control) throw refusedControl(name, control)',
    '',
    entering,
  ),
  mutation(
    'entering: a container with data of others',
    'functions/core/owners/enter-container.ts',
    'if (!(await mayReach(one, enterer, settings))) throw refusedData(name, one)',
    '',
    entering,
  ),
  mutation(
    'entering: a shell that is open while the right to it ends',
    'functions/feeds/exec.ts',
    'needs((now) => entered.check(entererOf(now, ports)))',
    '',
    ['functions/feeds/exec'],
  ),
  mutation(
    'entering: volumes of the service itself',
    'functions/core/owners/volume-reach.ts',
    'if (known?.isInstallation) {',
    'if (false) {',
    entering,
  ),
  mutation(
    'entering: the reach of the caller',
    'functions/core/owners/enter-for.ts',
    '({ reach: reachOf(caller), mayDeploy',
    "({ reach: 'host', mayDeploy",
    entering,
  ),
  mutation(
    'entering: the namespaces of other containers',
    'functions/core/owners/reached-by-container.ts',
    'all.push({ access: other,',
    '[].push({ access: other,',
    entering,
  ),
  mutation(
    'entering: the Engine’s socket by its name',
    'functions/core/owners/host-paths.ts',
    "if (isSocket(path) || isSocket(hostPath(mounted.destination))) return 'host'",
    '',
    degrees,
  ),
  mutation(
    'entering: what is above a path of the host',
    'functions/core/owners/host-paths.ts',
    '[...controlled, hostPath(stacksDirectory)].some((one) => isInside(path, one))',
    'false',
    degrees,
  ),
  mutation(
    'entering: what is below a path of the host',
    'functions/core/owners/host-paths.ts',
    "if (isAnyInside(controlled, path) || userSockets.test(path)) return 'host'",
    '',
    degrees,
  ),
  mutation(
    'entering: volumes that are paths of the host',
    'functions/core/owners/volume-reach.ts',
    "if (!knownTypes.has(type) || degrees.includes('host')) {",
    'if (false) {',
    degrees,
  ),
  mutation(
    'entering: one-off containers',
    'functions/feeds/attach.ts',
    'entererOf(caller, ports)',
    "{ reach: 'host' }",
    ['functions/feeds/attach'],
  ),
  mutation(
    'entering: images of containers',
    'functions/core/images/commit-image.ts',
    '{ hostId: user.hostId, engine }, user, ports',
    "{ hostId: user.hostId, engine }, { reach: 'host' }, ports",
    ['functions/stacks/services/commit'],
  ),
  mutation(
    'entering: commands of the compose file',
    'functions/core/deploy/execute.ts',
    "if (step.action === 'exec') await enterForHook(step, prepared, ports)",
    '',
    ['functions/stacks/hook-entry'],
  ),
  mutation(
    'entering: hooks of a job when it is saved',
    'functions/core/backups/hook-rights.ts',
    'await enterContainer(id, { hostId: job.hostId, engine }, enterer, ports)',
    '',
    ['functions/backup-jobs/hook-rights'],
  ),
  mutation(
    'audit: a read of secrets',
    'functions/kit/pipeline.ts',
    'await records.read(work, read.statusCode)',
    '',
    ['functions/containers/secret-reads'],
  ),
  mutation(
    'audit: a feed of secrets',
    'functions/kit/feed-opener.ts',
    'if (facts.readsSecrets) await records.read(work, 101)',
    '',
    ['functions/containers/secret-reads'],
  ),
  mutation(
    'entering: hooks of a job when it runs',
    'functions/core/backups/hook-rights.ts',
    "const { reach = 'stack', stacks = [] } = hookRights ?? {}",
    "const { reach = 'host', stacks = [] } = hookRights ?? {}",
    ['functions/backup-jobs/hook-rights'],
  ),
]
