import type { PulledLayer } from '../../../functions/core/records/host-engine.ts'
import type { ProgressLine } from '../responses/json-lines.ts'

/** Layers of one pull that are reported. An image has at most 127. */
const layersMax = 512

/** What the Engine says of a layer. No other text of it is passed on. */
const states: ReadonlyMap<unknown, PulledLayer['state']> = new Map([
  ['Pulling fs layer', 'waiting'],
  ['Waiting', 'waiting'],
  ['Downloading', 'downloading'],
  ['Verifying Checksum', 'downloaded'],
  ['Download complete', 'downloaded'],
  ['Extracting', 'extracting'],
  ['Pull complete', 'done'],
  ['Already exists', 'exists'],
])

/** Returns a function that reports the layer that a line of a pull is about, if it is about one. */
export function layerReporter(report: (layer: PulledLayer) => void): (line: ProgressLine) => void {
  const reported = new Set<string>()
  return (line) => {
    const layer = layerOf(line)
    if (!layer || (reported.size === layersMax && !reported.has(layer.id))) return
    reported.add(layer.id)
    report(layer)
  }
}

function layerOf({ id, status, progressDetail }: ProgressLine): PulledLayer | undefined {
  const isRetry = typeof status === 'string' && status.startsWith('Retrying in ')
  const state = isRetry ? 'waiting' : states.get(status)
  if (!state || typeof id !== 'string' || !/^[0-9a-f]{12,64}$/.test(id)) return undefined
  const { current, total } = progressDetail ?? {}
  return { id, state, current: bytesOf(current), total: bytesOf(total) }
}

/** Returns null for a size that the Engine does not know, for which it sends none, or -1. */
const bytesOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
