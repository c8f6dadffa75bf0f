import type { ObservedContainer } from '../../engine/engine.ts'
import { restartsByItself } from '../create/host-config.ts'
import type { Project } from '../project.ts'

/**
 * True for a service that does one thing and ends: the Engine does not restart it, and either somebody waits for its
 * completion, or it has neither ports, nor a health check, nor services that only want it started.
 */
export function isJob(project: Project, name: string): boolean {
  const service = project.services[name]
  if (!service || restartsByItself(service)) return false
  const conditions = Object.values(project.services).flatMap(
    ({ depends_on }) => depends_on?.[name]?.condition ?? [],
  )
  if (conditions.includes('service_completed_successfully')) return true
  return conditions.length === 0 && !service.ports?.length && !service.healthcheck
}

/**
 * True for the container of a job that ended well. A deploy that does not change it leaves it so: docker compose would
 * run it again at every `up`, which a deploy of an unchanged stack must not do.
 */
export function isFinishedJob(project: Project, container: ObservedContainer): boolean {
  return (
    container.state === 'exited' && container.exitCode === 0 && isJob(project, container.service)
  )
}
