import { groupBy } from '../group-by.ts'
import type { ServiceUpdate } from './list-updates.ts'

/** What is known of newer images for the services of one stack. */
export interface StackUpdates {
  stack: string
  hostName: string
  /** Services with a newer image; null while there is none and it is not known of all. */
  newer: readonly ServiceUpdate[] | null
  /** Services whose last look failed and is repeated; null before the first look. */
  failing: readonly ServiceUpdate[] | null
}

/** Returns what is known of each stack, in the order of the services. */
export function updatesByStack(updates: readonly ServiceUpdate[]): StackUpdates[] {
  const stacks = groupBy(updates, ({ service, host }) => JSON.stringify([host.id, service.stack]))
  return [...stacks.values()].flatMap((services) => {
    const [first] = services
    if (!first) return []
    const looked = services.filter(({ status }) => status.state !== 'not_checked')
    const newer = looked.filter(({ status }) => status.state === 'newer')
    const isKnown = newer.length > 0 || looked.every(({ status }) => status.state !== 'unknown')
    const wasTried = looked.length === 0 || looked.some(wasLookedAt)
    return [
      {
        stack: first.service.stack,
        hostName: first.host.name,
        newer: isKnown ? newer : null,
        failing: wasTried ? looked.filter(isFailing) : null,
      },
    ]
  })
}

const wasLookedAt = ({ status, checkedAt }: ServiceUpdate) => checkedAt !== null || status.hasFailed

/** While looks are switched off, the last one says nothing that anyone could change. */
const isFailing = ({ status, nextAt }: ServiceUpdate) => status.hasFailed && nextAt !== null
