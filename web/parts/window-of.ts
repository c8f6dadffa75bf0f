/**
 * Rows come and go this many at a time, so that most frames of scrolling change nothing in the
 * page. At least as many are ready above and below those in sight.
 */
const step = 12

/** Returns which rows are in the page: from `first` up to, not including, `last`. */
export function windowOf(
  view: { top: number; height: number; rowHeight: number },
  count: number,
): { first: number; last: number } {
  const visible = Math.ceil(view.height / view.rowHeight) + 1
  const above = Math.max(0, Math.min(Math.floor(view.top / view.rowHeight), count - visible))
  const begin = Math.floor(above / step) * step
  return { first: Math.max(0, begin - step), last: Math.min(count, begin + visible + 2 * step) }
}
