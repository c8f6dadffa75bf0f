import type { components } from './api.types.ts'

export type PulledLayer = components['schemas']['PulledLayer']

/** Returns the layers in the order in which they came, each in its latest state. */
export function withChanges(
  known: readonly PulledLayer[],
  changed: readonly PulledLayer[],
): readonly PulledLayer[] {
  const layers = new Map(known.map((layer) => [layer.id, layer]))
  for (const layer of changed) layers.set(layer.id, layer)
  return [...layers.values()]
}
