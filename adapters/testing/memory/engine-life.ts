import type { EngineBody } from '../../../functions/compose/step.ts'
import { emitEvent } from './engine-events.ts'
import type { EngineState, MemoryContainer } from './engine-state.ts'

/** The behaviour of a simulated container after its start. */
export interface Behaviour {
  /** The exit code, or null if it keeps running. */
  exit: number | null
  health: string | null
  output: string[]
}

/**
 * Derives a container's behaviour from its command: it keeps running if there is a `sleep` or the
 * command is `cat`, exits
 * with the code of an `exit` or of `false`, prints what is echoed, and is healthy if the command of
 * its health check succeeds.
 */
export function behaviourOf(body: EngineBody): Behaviour {
  const words = [body.Entrypoint, body.Cmd].flat().filter((word) => typeof word === 'string')
  const command = words.join(' ')
  const test = (body.Healthcheck as { Test?: string[] } | undefined)?.Test ?? []
  const checked = test.length > 0 && test[0] !== 'NONE'
  return {
    exit: /\bsleep\b/.test(command) || command === 'cat' ? null : exitOf(command),
    health: checked ? (exitOf(test.join(' ')) === 0 ? 'healthy' : 'unhealthy') : null,
    output: [...command.matchAll(/\becho ([^;&]+)/g)].map((match) => match[1]?.trim() ?? ''),
  }
}

/** Starts a container, which may exit at once. Does nothing if it is running. */
export function start(state: EngineState, container: MemoryContainer): void {
  if (container.state === 'running') return
  const { exit, health, output } = behaviourOf(container.body)
  const time = state.now()
  container.startedAt = time
  container.runs += 1
  container.restarts = 0
  container.state = 'running'
  container.exitCode = null
  container.health = health
  emitEvent(state, container, 'start')
  container.logs.push(...output.map((line) => ({ stream: 'stdout' as const, time, line })))
  if (exit !== null) end(state, container, exit)
}

/** Ends a container with an exit code. Does nothing if it is not running. */
export function end(state: EngineState, container: MemoryContainer, code: number): void {
  if (container.state !== 'running' && container.state !== 'paused') return
  container.state = 'exited'
  container.health = null
  container.exitCode = code
  container.finishedAt = state.now()
  emitEvent(state, container, 'die', { exit_code: code })
}

function exitOf(command: string): number {
  const code = /\bexit (\d+)/.exec(command)?.[1]
  if (code !== undefined) return Number(code)
  return /\bfalse\b/.test(command) ? 1 : 0
}
