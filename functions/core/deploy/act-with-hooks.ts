import type { Plan } from '../../compose/plan/plan-steps.ts'
import { ownHooks } from '../../compose/plan/stop/own-hooks.ts'
import { isUp } from '../../compose/plan/stop/service-containers.ts'
import { addHook } from '../../compose/plan/stop/stop-container.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Stored } from '../ports/collection.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerAction, ContainerSummary } from '../records/container.ts'
import { type StackRecord, wasEverDeployed } from '../records/stack.ts'
import { type LoadPorts, loadFiles } from '../stacks/load-project.ts'
import { loadEarlier } from './earlier-files.ts'

/** The ports that find the commands of a container. */
export type ContainerHookPorts = LoadPorts & Needs<'deployments' | 'stacks'>

/** A host and its Engine. */
export interface HookHost {
  hostId: string
  engine: Engine
}

type Kind = 'pre_stop' | 'post_start'

/**
 * Performs an action on a container and returns the container after it. A stop, start or restart of
 * a container of a stack runs the commands that the container was created with, as those of its
 * service do. As there, a `pre_stop` that fails does not keep the container from stopping.
 *
 * @param id the ID of the container, the beginning of it, or its name
 * @throws 409 if a `post_start` fails; the container runs then. And what `Engine.act` throws
 */
export async function actWithHooks(
  id: string,
  action: ContainerAction,
  where: HookHost,
  ports: ContainerHookPorts,
): Promise<ContainerSummary> {
  const { engine } = where
  const { signal } = new AbortController()
  if (action.kind === 'kill') return engine.act(id, action)
  const hooked = await findHooks(id, where, ports)
  if (!hooked) return engine.act(id, action)
  const { container, hooks } = hooked
  if (action.kind !== 'start') await runPreStop(hooked, engine, signal)
  const after = await engine.act(id, action)
  // A start has no effect on a container that is up.
  if (action.kind === 'stop' || (action.kind === 'start' && isUp(container))) return after
  await runHooks(hooks('post_start').steps, engine, signal).catch((error) => {
    throw failed(container, error)
  })
  return after
}

/** A container of a stack, and the commands that it was created with. */
export interface HookedContainer {
  container: ObservedContainer
  hooks(kind: Kind): Plan
}

/** Finds the commands of a container. Returns undefined for one that can have none. */
export async function findHooks(
  id: string,
  where: HookHost,
  ports: ContainerHookPorts,
): Promise<HookedContainer | undefined> {
  const member = await memberOf(id, where, ports)
  return member && { container: member.container, hooks: await hooksOf(member, ports) }
}

/** Runs the `pre_stop` commands of a running container. One that fails ends them, no more. */
export async function runPreStop(
  { container, hooks }: HookedContainer,
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  if (container.state !== 'running') return
  await runHooks(hooks('pre_stop').steps, engine, signal).catch((error) => {
    if (!signal.aborted) ignoreFailure('run a pre_stop command')(error)
  })
}

/** A container of a stack, and all containers of the stack. */
interface Member {
  stack: Stored<StackRecord>
  container: ObservedContainer
  containers: ObservedContainer[]
}

/** Returns undefined for a container that belongs to no stack of its host, and for one-offs. */
async function memberOf(
  named: string,
  { hostId, engine }: HookHost,
  { stacks }: ContainerHookPorts,
): Promise<Member | undefined> {
  const { id, stack: name } = await engine.container(named)
  if (name === null) return undefined
  // Anyone can set the label: a stack of this name can be on a host that the caller does not see.
  const stack = await stacks.find(name).catch(noneIfHidden)
  if (stack?.hostId !== hostId || !wasEverDeployed(stack)) return undefined
  const containers = await engine.projectContainers(name)
  const container = containers.find((one) => one.id === id)
  return container && !container.oneoff ? { stack, container, containers } : undefined
}

function noneIfHidden(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 403) throw error
}

/** Returns the commands of a container by their kind, as a plan. */
async function hooksOf({ stack, container, containers }: Member, ports: ContainerHookPorts) {
  const { environment, written } = stack
  const files = written ?? stack.files
  // The caller may operate the container, whatever its project has access to.
  const reading = { environment, reach: 'host' as const }
  const [loaded, earlier] = await Promise.all([
    loadFiles(stack, files, reading, ports).catch(ignoreFailure('load the hooks of a container')),
    loadEarlier({ stack, files, environment }, ports),
  ])
  const project = loaded?.project ?? null
  return (kind: Kind): Plan => {
    const plan: Plan = { steps: [], warnings: [] }
    const origins = { plan, project, creators: earlier, snapshot: { containers } }
    const about = { reason: kind, service: container.service }
    for (const hook of ownHooks(kind, container, origins)) {
      addHook(plan, about, container.name, { hook, required: true })
    }
    return plan
  }
}

/** Runs commands one after the other, until one fails. */
export async function runHooks(
  steps: readonly Step[],
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) await engine.execute(step, signal)
}

function failed({ service }: ObservedContainer, error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  return new Failure(error.status, `service ${service}: post_start: ${error.message}`, {
    cause: error,
  })
}
