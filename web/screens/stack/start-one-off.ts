import { effect, signal } from '@preact/signals'
import type { ContainerRef } from '../../data/containers.ts'
import { asProblem } from '../../data/problem.ts'
import {
  type Ended,
  type ExecSession,
  startAttach,
  type TerminalSize,
} from '../containers/exec-session.ts'

/**
 * Creates a one-off container and shows it. What is typed before it exists waits for it. The
 * service removes a container whose terminal was closed.
 */
export function startOneOff(
  create: () => Promise<ContainerRef>,
  size: TerminalSize,
  onOutput: (bytes: Uint8Array) => void,
): ExecSession {
  const ended = signal<Ended | undefined>(undefined)
  let last = size
  let session: ExecSession | undefined
  let early: Uint8Array[] = []
  let isOver = false
  let stop: (() => void) | undefined
  const attach = (container: ContainerRef) => {
    if (isOver) return
    const opened = startAttach(container, last, onOutput)
    session = opened
    stop = effect(() => {
      if (opened.ended.value) ended.value = opened.ended.value
    })
    for (const bytes of early) opened.send(bytes)
    early = []
  }
  create().then(attach, (error: unknown) => {
    ended.value = { why: asProblem(error).error }
  })
  return {
    ended,
    send(bytes) {
      if (session) session.send(bytes)
      else early.push(bytes)
    },
    resize(columns, rows) {
      last = { columns, rows }
      session?.resize(columns, rows)
    },
    close() {
      isOver = true
      stop?.()
      session?.close()
    },
  }
}
