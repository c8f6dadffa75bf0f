import { scopePorts } from '../../access/scope.ts'
import type { Standing } from '../../acts-as/judge-later-work.ts'
import { entererOf } from '../../owners/enter-as-caller.ts'
import { type EntryPorts, enterContainer } from '../../owners/enter-container.ts'
import type { Enterer } from '../../owners/enterer.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Caller } from '../../records/account.ts'
import type { BackupJob, HookRights } from '../../records/backup-job.ts'
import { runningContainers, serviceNamed } from '../contents/containers-of-services.ts'

/**
 * Checks that the caller may enter the containers that the hooks of a job run in. Returns the
 * rights that its runs have later, when no caller is there: those that the caller has now.
 *
 * @throws 403 if the caller may not enter one of them
 */
export async function requireHookRights(
  job: Pick<BackupJob, 'hostId' | 'sources' | 'hooks'>,
  caller: Caller,
  ports: EntryPorts & Needs<'engines'>,
): Promise<HookRights | undefined> {
  const { before, after } = job.hooks
  if (!before && !after) return undefined
  const { reach, mayDeploy } = entererOf(caller, ports)
  // Without a question to the host, which may be offline.
  if (reach === 'host') return { reach, stacks: [] }
  const stacks = new Set<string>()
  const enterer: Enterer = {
    reach,
    async mayDeploy(stack) {
      const may = (await mayDeploy?.(stack)) ?? false
      if (may) stacks.add(stack)
      return may
    },
  }
  const engine = await ports.engines.on(job.hostId)
  for (const hook of [before, after]) {
    const named = hook && serviceNamed(hook.service, job)
    const containers = named ? await runningContainers(named, engine) : []
    for (const { id } of containers) {
      await enterContainer(id, { hostId: job.hostId, engine }, enterer, ports)
    }
  }
  return { reach, stacks: [...stacks].sort() }
}

/**
 * Checks that the caller may enter what the hooks of a saved job may. It asks the host only if that
 * is more than the containers of the job's own stacks.
 *
 * @throws 403 if the caller may not
 */
export async function requireSavedHooks(
  job: BackupJob,
  caller: Caller,
  ports: EntryPorts & Needs<'engines'>,
): Promise<void> {
  const { reach = 'stack', stacks = [] } = job.hookRights ?? {}
  if (reach === 'host' || stacks.length > 0) await requireHookRights(job, caller, ports)
}

/**
 * Returns what the hooks of a job may enter: what its account might when the job was saved, and may
 * now. So a job that an API token saved does not gain the rights of the account. Jobs of earlier
 * versions have no rights recorded.
 */
export function hookEnterer(
  { hookRights }: Pick<BackupJob, 'hookRights'>,
  standing: Standing,
  ports: EntryPorts,
): Enterer {
  const { reach = 'stack', stacks = [] } = hookRights ?? {}
  const saved: Enterer = { reach, mayDeploy: async (stack) => stacks.includes(stack) }
  if (standing.kind !== 'account') return saved
  const now = entererOf(standing.actor, scopePorts(ports, standing.actor))
  if (now.reach === 'host') return saved
  return {
    reach: now.reach,
    mayDeploy: async (stack) =>
      (reach === 'host' || stacks.includes(stack)) && ((await now.mayDeploy?.(stack)) ?? false),
  }
}
