import type { EngineEvent } from '../../../functions/core/records/host-engine.ts'
import type { EngineState, MemoryContainer } from './engine-state.ts'

/** Adds an event of a container. */
export function emitEvent(
  state: EngineState,
  { id, name, image }: MemoryContainer,
  action: 'start' | 'stop' | 'die' | 'update',
  details: EngineEvent['details'] = {},
): void {
  const number = state.events.length
  const time = state.now().replace('Z', `${String(number % 1000).padStart(3, '0')}Z`)
  const subject = { kind: 'container' as const, id, name }
  const kind = `container.${action}` as const
  const event = { id: `${number}-${action}`, time, kind, subject }
  state.events.push({ ...event, details: { image, ...details } })
}

/**
 * Yields events as they occur, `disconnected` when the Engine goes offline, and `connected` when it
 * is back. Both are noticed at the next change of the Engine.
 */
export async function* followEvents(
  state: EngineState,
  isOffline: () => boolean,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent | 'connected' | 'disconnected', void, void> {
  let isConnected = false
  let read = state.events.length
  while (!signal.aborted) {
    if (isOffline()) {
      if (isConnected) yield 'disconnected'
      isConnected = false
    } else {
      if (!isConnected) {
        read = state.events.length
        yield 'connected'
      }
      isConnected = true
      for (let event = state.events[read]; event; event = state.events[read]) {
        yield event
        read += 1
      }
    }
    const { changes } = state
    if (state.changes === changes) await state.changed(signal).catch(() => {})
  }
}
