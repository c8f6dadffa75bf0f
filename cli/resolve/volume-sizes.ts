import type { Client } from '../api/client.ts'
import type { HostList, VolumeSize } from '../api/types.ts'
import { CliFailure } from '../failure.ts'
import { bytes } from '../output/units.ts'
import { itemsOf } from './host-list.ts'

/** Milliseconds. The service gives the Engine a minute. */
const sizesTimeout = 90_000
/** Milliseconds that a question waits. */
const questionTimeout = 10_000

/** Reads how much data the volumes of a host hold, or with `all` of every host. */
export const readVolumeSizes = (service: Client, host: string | undefined) =>
  service.get('/volume-sizes', { query: { host }, timeout: sizesTimeout })

/** Returns a function that gives the bytes of a volume: null if they are unknown. */
export function bytesIn(sizes: HostList<VolumeSize>) {
  const keyOf = ({ name, host_id }: { name: string; host_id: string }) => `${host_id}/${name}`
  const known = new Map(itemsOf(sizes).map((one) => [keyOf(one), one.bytes]))
  return (volume: { name: string; host_id: string }) => known.get(keyOf(volume)) ?? null
}

/**
 * Returns how much data a volume holds, for a question: ` (2.1 GB)`. An empty text if the service
 * does not say it within ten seconds.
 */
export const dataText = (service: Client, host: string | undefined, volume: string) =>
  unlessRefused(async () => textOf(await soonRead(service, host), ({ name }) => name === volume))

/** Returns how much data the volumes of a stack hold together, as `dataText` does. */
export const stackDataText = (service: Client, stack: string) =>
  unlessRefused(async () => {
    const { value } = await service.get('/stacks/{name}', { path: { name: stack } })
    const { host } = value
    const volumes = await service.get('/volumes', { query: { host } })
    const own = itemsOf(volumes.value).filter((one) => one.stack === stack)
    const names = new Set(own.map(({ name }) => name))
    return textOf(await soonRead(service, host), ({ name }) => names.has(name))
  })

async function soonRead(service: Client, host: string | undefined): Promise<VolumeSize[]> {
  const options = { query: { host }, timeout: questionTimeout }
  return itemsOf((await service.get('/volume-sizes', options)).value)
}

function textOf(sizes: readonly VolumeSize[], isMeant: (size: VolumeSize) => boolean): string {
  const meant = sizes.filter(isMeant)
  const known = meant.flatMap((one) => one.bytes ?? [])
  if (known.length === 0) return ''
  const sum = bytes(known.reduce((all, one) => all + one, 0))
  return known.length < meant.length ? ` (at least ${sum})` : ` (${sum})`
}

async function unlessRefused(text: () => Promise<string>): Promise<string> {
  try {
    return await text()
  } catch (error) {
    if (error instanceof CliFailure && error.exitCode !== 130) return ''
    throw error
  }
}
