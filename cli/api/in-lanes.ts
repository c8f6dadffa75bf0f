/** Runs work when its turn comes. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Returns what runs at most `count` pieces of work at a time; the others wait in lanes. */
export function inLanes(count: number): Turns {
  const lanes: Promise<unknown>[] = Array.from({ length: count }, async () => undefined)
  let turn = 0
  return (work) => {
    const lane = turn % count
    turn += 1
    // Work that failed does not keep the next one from running.
    const done = Promise.resolve(lanes[lane]).then(work, work)
    lanes[lane] = done
    return done
  }
}
