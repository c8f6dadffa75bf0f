import type { AttachedContainer, ExecOutput } from '../../../functions/core/ports/engine-exec.ts'
import { end } from './engine-life.ts'
import type { EngineState, MemoryContainer } from './engine-state.ts'

/**
 * Attaches to a container in memory. Its output is what it logs; `cat` echoes its input and ends
 * with it.
 */
export function attachTo(
  state: EngineState,
  container: MemoryContainer,
  signal: AbortSignal,
): AttachedContainer {
  const { runs } = container
  const isEcho = [container.body.Cmd].flat().join(' ') === 'cat'
  const echoed: ExecOutput[] = []
  let shown = container.logs.length
  const hasEnded = () =>
    !state.containers.has(container.id) ||
    (container.runs > runs && container.state !== 'running' && container.state !== 'paused')
  return {
    output: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          signal.throwIfAborted()
          const line = container.logs[shown]
          const echo = echoed.shift()
          if (line) {
            shown += 1
            yield { stream: line.stream, data: Buffer.from(`${line.line}\n`) }
          }
          if (echo) yield echo
          if (line || echo) continue
          if (hasEnded()) return
          await state.changed(signal)
        }
      },
    },
    async write(data) {
      if (isEcho) echoed.push({ stream: 'stdout', data: Buffer.from(data) })
      state.touch()
    },
    endInput() {
      if (isEcho) end(state, container, 0)
      state.touch()
    },
    async resize() {},
  }
}
