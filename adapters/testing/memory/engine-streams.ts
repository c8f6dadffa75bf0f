import { conflict } from '../../../functions/core/errors.ts'
import type { FollowOptions } from '../../../functions/core/ports/engine.ts'
import type { ContainerStats, LogLine } from '../../../functions/core/records/container.ts'
import { typicalUsage } from './engine-sample.ts'
import { type EngineState, getContainer, type MemoryContainer } from './engine-state.ts'

/**
 * Returns the container whose log is read.
 *
 * @throws 409 if its log driver is `none`
 */
export function readableContainer(state: EngineState, id: string): MemoryContainer {
  const container = getContainer(state, id)
  const { HostConfig } = container.body as { HostConfig?: { LogConfig?: { Type?: string } } }
  if (HostConfig?.LogConfig?.Type !== 'none') return container
  throw conflict(
    'the log of the container cannot be read: its log driver (none) does not support it',
  )
}

/** Yields the existing lines of a container, then new ones until it stops. */
export async function* followLogs(
  state: EngineState,
  id: string,
  { tail, since, follow }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<LogLine[], void, void> {
  const container = readableContainer(state, id)
  const { runs } = container
  const from = since === undefined ? 0 : Number(since) * 1000 || Date.parse(since)
  const recent = container.logs.filter(({ time }) => Date.parse(time) >= from)
  const past = tail === 'all' ? recent : recent.slice(Math.max(0, recent.length - tail))
  let read = container.logs.length
  if (past.length > 0) yield past
  while (follow) {
    signal.throwIfAborted()
    const lines = container.logs.slice(read)
    read = container.logs.length
    if (lines.length > 0) yield lines
    else if (isOver(state, container, runs)) return
    else await state.changed(signal)
  }
}

/** Yields the same resource usage each time the Engine changes, until the container stops. */
export async function* stats(
  state: EngineState,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ContainerStats, void, void> {
  const container = getContainer(state, id)
  const { runs } = container
  while (!isOver(state, container, runs)) {
    const { changes } = state
    yield { ...figures, time: state.now() }
    if (state.changes === changes) await state.changed(signal)
  }
}

const isOver = (state: EngineState, container: MemoryContainer, runs: number) =>
  container.state !== 'running' || container.runs !== runs || !state.containers.has(container.id)

const figures = { ...typicalUsage, cpus: 2 }

/**
 * Makes a container print lines. Each line's time is a nanosecond later than the one before, so
 * that no two are equal.
 */
export function print(state: EngineState, id: string, ...lines: string[]): void {
  const container = getContainer(state, id)
  for (const line of lines) {
    const time = state.now().replace('Z', `${String(container.logs.length).padStart(6, '0')}Z`)
    container.logs.push({ stream: 'stdout', time, line })
  }
  state.touch()
}
