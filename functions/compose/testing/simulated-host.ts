import { label } from '../create/labels.ts'
import { must } from '../must.ts'
import { resolveParents } from '../plan/compare/parents.ts'
import type { Plan } from '../plan/plan-steps.ts'
import type { Resolved, Snapshot } from '../snapshot.ts'
import type { SimulatedHost } from './simulated-state.ts'
import { perform } from './simulated-steps.ts'

/** Returns an empty host with these images. */
export function simulatedHost(images: string[], jobs: string[] = []): SimulatedHost {
  return {
    containers: [],
    networks: [],
    volumes: new Map(),
    images: new Map([...images, ...jobs].map((image) => [image, `sha256:${image}`])),
    jobs: new Set(jobs),
    count: 0,
  }
}

/** Returns what the Engine port would observe of a project. */
export function observe(host: SimulatedHost, project = 'shop'): Snapshot {
  const own = (labels: Record<string, string>) => labels[label.project] === project
  return structuredClone({
    project,
    containers: host.containers.filter(({ labels }) => own(labels)),
    networks: host.networks.filter(({ labels }) => own(labels)),
    volumes: [...host.volumes]
      .filter(([, labels]) => own(labels))
      .map(([name, labels]) => ({ name, labels })),
  })
}

/** Returns all networks, volumes and images of the host, by name. */
export function resolveAll(host: SimulatedHost): Resolved {
  return structuredClone({
    networks: Object.fromEntries(host.networks.map((network) => [network.name, network])),
    volumes: Object.fromEntries(
      [...host.volumes].map(([name, labels]) => [name, { name, labels }]),
    ),
    images: Object.fromEntries(
      [...host.images].map(([name, id]) => [name, { id, digests: [], taggedAt: null }]),
    ),
  })
}

/**
 * Performs the steps of a plan one at a time. `pick` chooses one of the ready steps. `limit` is the
 * number of steps to perform.
 */
export function apply(
  host: SimulatedHost,
  plan: Plan,
  pick: (count: number) => number = () => 0,
  limit = plan.steps.length,
): void {
  const done = new Set<number>()
  const ids = new Map<string, string>()
  while (done.size < Math.min(limit, plan.steps.length)) {
    const ready = plan.steps.filter(
      ({ index, after }) => !done.has(index) && after.every((step) => done.has(step)),
    )
    const step = must(ready[pick(ready.length)], 'step that is ready')
    const id = perform(
      host,
      resolveParents(step, (name) => must(ids.get(name), `container ${name}`)),
    )
    if (typeof id === 'string') ids.set(step.name, id)
    done.add(step.index)
  }
}
