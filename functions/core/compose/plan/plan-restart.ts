import type { ObservedContainer, Snapshot } from '../../engine/engine.ts'
import type { Project } from '../project.ts'
import { add, type Plan } from './draft.ts'
import { serviceEdges } from './plan-stop.ts'

/**
 * Plans the restart of a project's containers: of the given services, or all if the list is empty.
 * Each service restarts after its dependencies. Services that depend on a restarted one with
 * `restart: true` restart too. Exited containers are started, as in docker compose.
 */
export function planRestart(
  snapshot: Pick<Snapshot, 'containers'>,
  project: Project | null,
  options: { services: readonly string[] },
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const done = new Map<string, number[]>()
  for (const [name, needs] of serviceEdges(snapshot, project)) {
    const cause = restartCause(project, name, options.services, done)
    if (cause === undefined) continue
    const about = {
      reason: cause,
      service: name,
      after: needs.flatMap((need) => done.get(need) ?? []),
    }
    const steps = containersOf(snapshot, name).map((container) =>
      add(plan, about, { action: 'restart', kind: 'container', name: container.name }),
    )
    done.set(name, steps)
  }
  return plan
}

function restartCause(
  project: Project | null,
  name: string,
  services: readonly string[],
  done: ReadonlyMap<string, number[]>,
): string | undefined {
  if (services.length === 0 || services.includes(name)) return 'restart'
  const wishes = Object.entries(project?.services[name]?.depends_on ?? {})
  const cause = wishes.find(([dependency, { restart }]) => restart && done.has(dependency))
  return cause && `restarts with ${cause[0]}`
}

function containersOf(snapshot: Pick<Snapshot, 'containers'>, name: string): ObservedContainer[] {
  return snapshot.containers
    .filter(({ service, oneoff }) => service === name && !oneoff)
    .sort((left, right) => left.number - right.number)
}
