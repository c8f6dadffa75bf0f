import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { ContainerSample } from '../records/container.ts'
import type { HostFigures } from '../records/metrics.ts'

/** Figures that take longer than this are left out. Milliseconds. */
const figuresTimeout = 2_500
/** A host that takes longer than this counts as down. Milliseconds. */
const hostTimeout = 3_000

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
  void clock.sleep(figuresTimeout, over.signal).then(() => stop.abort())
  const late = clock.sleep(hostTimeout, over.signal).then(() => undefined)
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
