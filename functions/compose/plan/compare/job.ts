import { restartsAfterSuccess } from '../../create/host-config.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { ObservedContainer } from '../../snapshot.ts'

/**
 * Returns the services that run once and exit. The Engine does not start them again once they have
 * succeeded, and either their `deploy.mode` says that they are jobs, or another service waits for
 * their completion, or no service depends on them and they have neither ports nor a health check.
 */
export function jobsOf(project: Project): ReadonlySet<string> {
  const users = { ...project.services, ...project.left_out }
  const conditions = new Map<string, Set<string>>()
  for (const { depends_on = {} } of Object.values(users)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      conditions.set(name, (conditions.get(name) ?? new Set()).add(condition))
    }
  }
  const names = Object.entries(project.services).filter(([name, service]) => {
    const asked = conditions.get(name) ?? new Set()
    if (restartsAfterSuccess(service)) return false
    if (asked.has('service_completed_successfully')) return true
    if (service.deploy?.mode?.endsWith('-job')) return true
    return asked.size === 0 && !service.ports?.length && !hasHealthCheck(service)
  })
  return new Set(names.map(([name]) => name))
}

const hasHealthCheck = ({ healthcheck }: Service) =>
  healthcheck !== undefined && !healthcheck.disable && healthcheck.test?.[0] !== 'NONE'

/**
 * Returns whether a container belongs to a job that succeeded. A deploy that does not change the
 * job leaves it alone. docker compose would run it again on every `up`, but a deploy of an
 * unchanged stack must change nothing.
 */
export function isFinishedJob(project: Project, container: ObservedContainer): boolean {
  return (
    container.state === 'exited' &&
    container.exitCode === 0 &&
    jobsOf(project).has(container.service)
  )
}
