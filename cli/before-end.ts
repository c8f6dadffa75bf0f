/** What a user or the system sends to end a process. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The process, as far as its signals go. */
type Target = Pick<NodeJS.Process, 'kill' | 'listenerCount' | 'off' | 'on' | 'pid'>

/**
 * Returns a function that has a listener called before a signal ends the process. That one returns
 * how to undo this. A command that listens for an interrupt itself ends in its own way, and its
 * listeners are called only if a second signal ends it.
 */
export function beforeEnd(target: Target): (listener: () => void) => () => void {
  const listeners = new Set<() => void>()
  const stop = () => {
    for (const signal of signals) target.off(signal, end)
  }
  function end(signal: NodeJS.Signals): void {
    if (target.listenerCount(signal) > 1) return
    for (const listener of listeners) listener()
    stop()
    target.kill(target.pid, signal)
  }
  return (listener) => {
    if (listeners.size === 0) for (const signal of signals) target.on(signal, end)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }
}
