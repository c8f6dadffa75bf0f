import type { ObservedContainer } from '../../engine/engine.ts'
import { compact } from '../create/container-body.ts'
import { nanoseconds } from '../create/quantities.ts'
import type { Project } from '../project.ts'
import type { Hook } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { type About, add, type Plan } from './draft.ts'
import { isUp } from './planning.ts'

/** A plan that stops containers, each once. Without a project their hooks are not known. */
export interface Stopping {
  plan: Plan
  project: Project | null
  /** Container id → the step that stops it. */
  stops: Map<string, number>
}

/**
 * Has a container stopped, its `pre_stop` commands run before, and answers with the last step; nothing when it does not
 * run. The Engine waits as long as the container was created with (`stop_grace_period`), which is in whole seconds: where that cut
 * something off, it is told to wait for the second that was begun, so that a short time is not none at all.
 */
export function stopContainer(
  stopping: Stopping,
  container: ObservedContainer,
  reason: string,
  after: readonly (number | undefined)[],
): number | undefined {
  const { plan, project, stops } = stopping
  if (!isUp(container)) return undefined
  const planned = stops.get(container.id)
  if (planned !== undefined) return planned
  const about = { reason, service: container.service }
  const hooks = container.oneoff ? undefined : project?.services[container.service]?.pre_stop
  let last = [...after]
  for (const hook of container.state === 'running' ? (hooks ?? []) : []) {
    // A container must be stopped even when its own command for that fails.
    const command = { hook, required: false }
    const hookAbout = { ...about, reason: 'pre_stop', after: last }
    last = [addHook(plan, hookAbout, container.name, command)]
  }
  const timeoutSeconds = brokenSeconds(project, container)
  const call = { action: 'stop', kind: 'container', name: container.name } as const
  const told = timeoutSeconds === undefined ? call : { ...call, timeoutSeconds }
  const step = add(plan, { ...about, after: last }, told)
  stops.set(container.id, step)
  return step
}

function brokenSeconds(project: Project | null, { service, oneoff }: ObservedContainer) {
  const period = oneoff ? undefined : project?.services[service]?.stop_grace_period
  const time = (nanoseconds(period) ?? 0) / 1e9
  return Number.isInteger(time) ? undefined : Math.ceil(time)
}

/** Runs a command of a container's life cycle in it. One that is not required holds nothing up when it fails. */
export function addHook(
  plan: Plan,
  about: About,
  name: string,
  { hook, required }: { hook: Hook; required: boolean },
): number {
  const body = hookBody(hook)
  return add(plan, about, { action: 'exec', kind: 'container', name, body, required })
}

/** Removes a container and leaves its volumes. */
export function removeContainer(
  plan: Plan,
  container: ObservedContainer,
  reason: string,
  after: readonly (number | undefined)[],
): number {
  const call = { action: 'remove', kind: 'container', name: container.name } as const
  const about = { reason, service: container.service, after }
  return add(plan, about, { ...call, volumes: false, force: true })
}

function hookBody(hook: Hook): EngineBody {
  return compact({
    Cmd: hook.command ?? [],
    User: hook.user,
    Privileged: hook.privileged,
    WorkingDir: hook.working_dir,
    Env:
      hook.environment &&
      Object.entries(hook.environment).map(([key, value]) => `${key}=${value ?? ''}`),
    AttachStdout: true,
    AttachStderr: true,
  })
}
