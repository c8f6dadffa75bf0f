import type { StepProgress } from '../records/deployment.ts'
import type { PulledLayer } from '../records/host-engine.ts'

/** Milliseconds between two reports: each is a write of the deployment. */
const pace = 2000

/**
 * Returns a function that takes each change of a layer of a pull and reports how much of the image
 * is downloaded, at a limited rate. Nothing is reported before the size of a layer is known.
 */
export function downloadProgress(
  clock: { monotonic(): number },
  report: (progress: StepProgress) => void,
): (layer: PulledLayer) => void {
  const layers = new Map<string, StepProgress>()
  let due = Number.NEGATIVE_INFINITY
  return ({ id, state, current, total }) => {
    const known = layers.get(id)
    // An extraction has a count of its own, and some layers a size that is not known.
    const size = (state === 'downloading' ? total : null) ?? known?.total ?? 0
    const isWhole = state !== 'waiting' && state !== 'downloading'
    layers.set(id, { current: isWhole ? size : Math.min(current ?? 0, size), total: size })
    const now = clock.monotonic()
    if (size === 0 || now < due) return
    due = now + pace
    report(sumOf([...layers.values()]))
  }
}

const sumOf = (layers: readonly StepProgress[]): StepProgress => ({
  current: layers.reduce((sum, { current }) => sum + current, 0),
  total: layers.reduce((sum, { total }) => sum + total, 0),
})
