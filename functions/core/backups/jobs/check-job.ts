import { requireEveryHost, requirePermissions } from '../../access/grant.ts'
import type { Need } from '../../acts-as/judge-later-work.ts'
import { notFound, refusedByPolicy, unusable } from '../../errors.ts'
import { hostNameOf } from '../../hosts/host-name.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupSource } from '../../records/backup-source.ts'
import type { StackRecord } from '../../records/stack.ts'
import { serviceNamed } from '../contents/containers-of-services.ts'

type CheckPorts = Needs<'engines' | 'hosts' | 'stacks'>

/** The parts of a job that must exist on its host. */
type Contents = Pick<BackupJob, 'hostId' | 'sources' | 'hooks' | 'stopServices'>

/** What decides which permissions a job needs. */
type JobNeeds = Pick<BackupJob, 'hooks' | 'stopServices' | 'target'> & {
  sources: readonly Pick<BackupSource, 'kind'>[]
}

/**
 * Returns the permissions that a job needs: a stack's archive contains its `.env`, a hook is a
 * command in a container, and the service's own state contains all data.
 */
export function needsOf({ sources, hooks, stopServices, target }: JobNeeds): Need[] {
  const needs: Need[] = []
  if (sources.some(({ kind }) => kind === 'system')) {
    needs.push({ part: 'sources: system', permission: 'settings:manage', everyHost: true })
  }
  if (sources.some(({ kind }) => kind === 'stack')) {
    needs.push({ part: 'sources: stack', permission: 'stacks:secrets' })
    needs.push({ part: 'sources: stack', permission: 'stacks:read' })
  }
  if (hooks.before || hooks.after) needs.push({ part: 'hooks', permission: 'containers:exec' })
  if (stopServices !== false) {
    needs.push({ part: 'stop_services', permission: 'containers:operate' })
  }
  if (target.kind === 'local' && target.path.startsWith('/')) {
    needs.push({ part: outsidePath, permission: 'stacks:privileged' })
  }
  return needs
}

/** The part of a job that the policy refuses, not the role. */
const outsidePath = 'target.path'

/**
 * Checks that the caller has the permissions for everything that the job does.
 *
 * @throws 403 if a permission is missing
 */
export function requireJob(job: JobNeeds, caller: Caller): void {
  for (const { part, permission, everyHost } of needsOf(job)) {
    if (part === outsidePath && !caller.permissions.has(permission)) {
      throw refusedByPolicy(
        'target.path: a directory outside the backup directory of the service requires the permission stacks:privileged',
      )
    }
    requirePermissions(caller, [permission], `${part}: what it does`)
    if (everyHost) requireEveryHost(caller, part)
  }
}

/**
 * Checks that the sources and services of a job exist. The errors name the field.
 *
 * @throws 404 if a source does not exist
 * @throws 422 if a source is on another host or no stack has the service
 */
export async function checkContents(job: Contents, ports: CheckPorts): Promise<void> {
  for (const [index, source] of job.sources.entries()) {
    const where = `body.sources[${index}]`
    if (source.kind === 'system') {
      if (job.hostId === 'local') continue
      throw unusable(`${where}: the service’s own state is on host local`)
    }
    if (source.kind === 'volume') {
      const engine = await ports.engines.on(job.hostId)
      const { volumes } = await engine.resolve({ networks: [], images: [], volumes: [source.name] })
      if (Object.hasOwn(volumes, source.name)) continue
      throw notFound(`${where}: there is no volume ${source.name} on the host`)
    }
    const stack = await ports.stacks.find(source.name)
    if (!stack) throw notFound(`${where}: there is no stack ${source.name}`)
    if (stack.hostId !== job.hostId) {
      throw await isElsewhere(where, stack, ports)
    }
  }
  const { hooks, stopServices } = job
  if (hooks.before)
    await checkService(hooks.before.service, 'body.hooks.before.service', job, ports)
  if (hooks.after) await checkService(hooks.after.service, 'body.hooks.after.service', job, ports)
  if (!Array.isArray(stopServices)) return
  for (const [index, name] of stopServices.entries()) {
    await checkService(name, `body.stop_services[${index}]`, job, ports)
  }
}

async function isElsewhere(where: string, { id, hostId }: StackRecord, ports: CheckPorts) {
  return unusable(`${where}: stack ${id} is on the host ${await hostNameOf(hostId, ports)}`)
}

async function checkService(text: string, where: string, job: Contents, ports: CheckPorts) {
  const named = serviceNamed(text, job)
  if (!named) throw unusable(`${where}: must name the stack, as <stack>/<service>`)
  const stack = await ports.stacks.find(named.stack)
  if (!stack) throw unusable(`${where}: there is no stack ${named.stack}`)
  if (stack.hostId !== job.hostId) {
    throw await isElsewhere(where, stack, ports)
  }
  const services = Object.keys(stack.services)
  if (services.includes(named.service)) return
  throw unusable(
    `${where}: stack ${named.stack} has no service ${named.service}, it has ${services.join(', ') || 'none'}`,
  )
}
