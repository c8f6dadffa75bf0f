/**
 * Visits each member once per period (milliseconds), spread out in small batches by one timer: ten
 * thousand visits at once would block the process. Returns a function that stops the visits.
 */
export function visitInSlices<T>(members: Set<T>, period: number, visit: (one: T) => void) {
  const slices = Math.max(1, Math.floor(period / 1000))
  let slice = 0
  let quota = 0
  let iterator: Iterator<T> = members.values()
  const timer = setInterval(() => {
    if (slice === 0) {
      iterator = members.values()
      quota = Math.ceil(members.size / slices)
    }
    const isLast = slice === slices - 1
    slice = isLast ? 0 : slice + 1
    for (let count = 0; isLast || count < quota; count += 1) {
      const { value, done } = iterator.next()
      if (done) break
      visit(value)
    }
  }, period / slices)
  timer.unref()
  return () => clearInterval(timer)
}
