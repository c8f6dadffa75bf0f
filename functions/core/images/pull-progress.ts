import type { Clock } from '../ports/clock.ts'
import { markHandled } from '../promises.ts'
import type { PulledLayer } from '../records/host-engine.ts'

/** Milliseconds between two reports. An Engine reports many times as often. */
const pause = 250

/**
 * Yields the layers of a pull that changed, each in its latest state, a few times a second, and
 * returns what the pull returns. However slowly the reader takes them, no more is kept than one
 * state of each layer.
 */
export async function* pullProgress<T>(
  pull: (report: (layer: PulledLayer) => void) => Promise<T>,
  clock: Pick<Clock, 'sleep'>,
): AsyncGenerator<PulledLayer[], T, void> {
  const changed = new Map<string, PulledLayer>()
  let isOver = false
  let wake = () => {}
  const report = (layer: PulledLayer) => {
    changed.set(layer.id, layer)
    wake()
  }
  const stop = new AbortController()
  const pulled = pull(report).finally(() => {
    isOver = true
    stop.abort()
    wake()
  })
  // Awaited once all changes are sent.
  markHandled(pulled)
  while (!isOver || changed.size > 0) {
    if (changed.size > 0) {
      const layers = [...changed.values()]
      changed.clear()
      yield layers
      await clock.sleep(pause, stop.signal)
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return await pulled
}
