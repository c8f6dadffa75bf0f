import type { Step } from '../../compose/step.ts'
import type { ContainerSummary } from '../records/container.ts'

/** A name or port of the host that a service needs and that something else has. */
export interface Held {
  service: string
  /** The index of the port in `ports`; null for a name. */
  port: number | null
  /** What is needed, as a message names it. */
  what: string
  /** The container that has it, or what else of the plan needs it, as a message says it. */
  holder: ContainerSummary | string
}

/** Returns whether a step that comes before another one does one of these to a container. */
export function isFreed(
  steps: readonly Step[],
  { after }: Step,
  container: string,
  actions: readonly Step['action'][],
): boolean {
  const before = new Set<number>()
  const waiting = [...after]
  for (const index of waiting) {
    if (before.has(index)) continue
    before.add(index)
    waiting.push(...(steps[index]?.after ?? []))
  }
  return [...before].some((index) => {
    const one = steps[index]
    return one?.kind === 'container' && one.name === container && actions.includes(one.action)
  })
}
