import type { ObservedContainer } from '../../engine/engine.ts'
import { restartsByItself } from '../create/host-config.ts'
import type { Project } from '../project.ts'

/**
 * The services that do one thing and end: the Engine does not restart them, and either somebody waits for their completion,
 * or they have neither ports, nor a health check, nor services that only want them started.
 */
export function jobsOf(project: Project): ReadonlySet<string> {
  const conditions = new Map<string, Set<string>>()
  for (const { depends_on = {} } of Object.values(project.services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      conditions.set(name, (conditions.get(name) ?? new Set()).add(condition))
    }
  }
  const names = Object.entries(project.services).filter(([name, service]) => {
    const asked = conditions.get(name) ?? new Set()
    if (restartsByItself(service)) return false
    if (asked.has('service_completed_successfully')) return true
    return asked.size === 0 && !service.ports?.length && !service.healthcheck
  })
  return new Set(names.map(([name]) => name))
}

/**
 * True for the container of a job that ended well. A deploy that does not change it leaves it so: docker compose would
 * run it again at every `up`, which a deploy of an unchanged stack must not do.
 */
export function isFinishedJob(project: Project, container: ObservedContainer): boolean {
  return (
    container.state === 'exited' &&
    container.exitCode === 0 &&
    jobsOf(project).has(container.service)
  )
}
