import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { ContainerSample } from '../records/container.ts'
import type { HostFigures } from '../records/metrics.ts'

/**
 * `patience`: milliseconds after which figures that have not arrived are left out. `deadline`:
 * milliseconds after which the host counts as down.
 */
const patience = 2_500
const deadline = 3_000

/** The sample of a host that answered. */
export interface SampledHost {
  containers: ContainerSample[]
  figures: HostFigures | undefined
}

/**
 * Returns the current state and resource usage of a host and its containers, or undefined if the
 * host does not respond within 3 s.
 */
export async function sampleHost(
  hostId: string,
  { engines, hostGauges, clock }: Needs<'engines' | 'hostGauges' | 'clock'>,
): Promise<SampledHost | undefined> {
  const over = new AbortController()
  const stop = new AbortController()
  void clock.sleep(patience, over.signal).then(() => stop.abort())
  const late = clock.sleep(deadline, over.signal).then(() => undefined)
  const within = <T>(work: Promise<T>) =>
    Promise.race([work.catch(ignoreError('sample a host')), late])
  try {
    const gauged = markHandled(within(hostGauges.read(hostId, stop.signal)))
    const containers = await within(engines.on(hostId).then((engine) => engine.sample(stop.signal)))
    return containers && { containers, figures: await gauged }
  } finally {
    over.abort()
  }
}
