import { compact, environment } from '../../create/container-body.ts'
import { nanoseconds } from '../../create/quantities.ts'
import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { Hook } from '../../service-parts.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import type { EngineBody } from '../../step.ts'
import { addStep, type Plan, type StepContext } from '../plan-steps.ts'
import { type Origins, ownHooks } from './own-hooks.ts'
import { isUp } from './service-containers.ts'

/** A plan in which each container is stopped at most once. */
export interface Stopping extends Origins {
  /** Container ID → the step that stops it. */
  stops: Map<string, number>
  /** Overrides the stop timeout of containers. Seconds. */
  timeoutSeconds?: number | undefined
}

/**
 * Adds the `pre_stop` commands and the stop of a container. Returns the last step, or undefined if
 * the container does not run. The Engine waits for the stop timeout set at creation, which is
 * `stop_grace_period` in whole seconds, rounded down. If the period has a fraction, the step passes
 * it rounded up instead, so that a short period does not become zero. A timeout of the plan comes
 * before both.
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
  const hooks = container.state === 'running' ? ownHooks('pre_stop', container, stopping) : []
  let last = [...after]
  for (const hook of hooks) {
    // The container must be stopped even if the hook fails.
    const command = { hook, required: false }
    const hookAbout = { ...about, reason: 'pre_stop', after: last }
    last = [addHook(plan, hookAbout, container.name, command)]
  }
  const timeoutSeconds = stopping.timeoutSeconds ?? brokenSeconds(project, container)
  const call = { action: 'stop', kind: 'container', name: container.name } as const
  const withTimeout = timeoutSeconds === undefined ? call : { ...call, timeoutSeconds }
  const step = addStep(plan, { ...about, after: last }, withTimeout)
  stops.set(container.id, step)
  return step
}

function brokenSeconds(project: Project | null, { service, oneoff }: ObservedContainer) {
  const period = oneoff ? undefined : ownEntry(project?.services, service)?.stop_grace_period
  const time = (nanoseconds(period) ?? 0) / 1e9
  return Number.isInteger(time) ? undefined : Math.ceil(time)
}

/**
 * Adds a lifecycle command that runs in the container. If it is not required, a failure does not
 * block later steps.
 */
export function addHook(
  plan: Plan,
  about: StepContext,
  name: string,
  { hook, required }: { hook: Hook; required: boolean },
): number {
  const body = hookBody(hook)
  return addStep(plan, about, { action: 'exec', kind: 'container', name, body, required })
}

/** Removes a container and keeps its volumes. */
export function removeContainer(
  plan: Plan,
  container: ObservedContainer,
  reason: string,
  after: readonly (number | undefined)[],
): number {
  const call = { action: 'remove', kind: 'container', name: container.name } as const
  const about = { reason, service: container.service, after }
  return addStep(plan, about, { ...call, volumes: false, force: true })
}

function hookBody(hook: Hook): EngineBody {
  return compact({
    Cmd: hook.command ?? [],
    User: hook.user,
    Privileged: hook.privileged,
    WorkingDir: hook.working_dir,
    Env: environment(hook.environment),
    AttachStdout: true,
    AttachStderr: true,
  })
}
