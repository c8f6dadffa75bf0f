/** Runs a call after all earlier ones that have one of its names. */
export type TakeTurns = <T>(names: readonly string[], call: () => Promise<T>) => Promise<T>

/** Returns a function that runs calls of the same name one after the other. */
export function inTurns(): TakeTurns {
  const last = new Map<string, Promise<unknown>>()
  return async (names, call) => {
    const before = names.map((name) => last.get(name))
    const running = Promise.allSettled(before).then(call)
    const over = Promise.allSettled([running])
    for (const name of names) last.set(name, over)
    try {
      return await running
    } finally {
      for (const name of names) if (last.get(name) === over) last.delete(name)
    }
  }
}
