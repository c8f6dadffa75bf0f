import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../functions/core/errors.ts'
import type { VolumeSize } from '../../../functions/core/records/host-engine.ts'
import { EngineRefusal } from '../responses/errors.ts'
import { diskUsage } from '../responses/response-shapes.ts'
import { atLeast, type EngineClient } from '../transport/client.ts'
import type { EngineLists } from './lists.ts'

/** Milliseconds for one reading. The Engine adds up every file of every volume. */
const sizesDeadline = 60_000
/** Milliseconds between attempts while another program has the Engine measure. */
const pause = 500
/** Milliseconds for which a result is kept after it was read, so that the disk rests in between. */
const keptFor = 60_000

interface DiskUsage {
  Volumes?: { Name: string; UsageData?: { Size: number } | null }[] | null
}

/**
 * Returns a reader of the sizes of all volumes. Calls during a reading and for a minute after it
 * share it: the Engine reads the disk for seconds or minutes. A reading that took too long is not
 * begun again for a minute either. Other failures are not kept.
 *
 * @param deadline in milliseconds
 */
export function volumeSizeReader(
  client: EngineClient,
  lists: Pick<EngineLists, 'volumes'>,
  deadline = sizesDeadline,
): () => Promise<readonly VolumeSize[]> {
  let kept: Reading | undefined

  async function read(): Promise<readonly VolumeSize[]> {
    const { Volumes } = await measured(client, performance.now() + deadline)
    const sizes = new Map((Volumes ?? []).map(({ Name, UsageData }) => [Name, UsageData?.Size]))
    // The Engine leaves out volumes whose driver is not its own.
    const list = (await lists.volumes()).map(({ name }) => ({
      name,
      bytes: known(sizes.get(name)),
    }))
    return Object.freeze(list)
  }

  return () => {
    if (!kept || performance.now() >= kept.until) kept = keptReading(read())
    return kept.sizes
  }
}

/** Sizes that are known or being read, and until when of `performance.now()` they are kept. */
interface Reading {
  sizes: Promise<readonly VolumeSize[]>
  until: number
}

function keptReading(sizes: Reading['sizes']): Reading {
  const reading = { sizes, until: Number.POSITIVE_INFINITY }
  const keep = (milliseconds: number) => {
    reading.until = performance.now() + milliseconds
  }
  sizes.then(
    () => keep(keptFor),
    (error) => keep(isBusy(error) ? keptFor : 0),
  )
  return reading
}

const isBusy = (error: unknown) => error instanceof Failure && error.reason === 'engine-busy'

/** Returns undefined and -1, which a driver that cannot tell reports, as null. */
const known = (size: number | undefined) => (size === undefined || size < 0 ? null : size)

/** Has the Engine measure, until a time of `performance.now()`. */
async function measured(client: EngineClient, until: number): Promise<DiskUsage> {
  // Older Engines know no `type`, and measure images and containers too.
  const query = atLeast(await client.apiVersion(), '1.42') ? { type: 'volume' } : {}
  for (;;) {
    const deadline = Math.max(1, Math.round(until - performance.now()))
    try {
      const call = { method: 'GET', path: '/system/df', query, deadline, shape: diskUsage } as const
      return await client.json<DiskUsage>(call)
    } catch (error) {
      if (!isMeasuring(error) || performance.now() + pause >= until) throw error
      await sleep(pause)
    }
  }
}

/** Returns whether the Engine refused because it measures for another program. */
const isMeasuring = (error: unknown) =>
  error instanceof Failure &&
  error.cause instanceof EngineRefusal &&
  error.cause.plain?.startsWith('a disk usage operation is already running') === true
