/** Milliseconds to wait for a row to be removed after its dialog closes. */
const removalTimeout = 20_000

/**
 * Returns a function that gives the focus back to the element that has it now. If that element is
 * removed meanwhile, or soon after with its row, the next row gets the focus, or the title of the
 * page if there is none.
 */
export function focusReturner(): () => void {
  const from = openerNow()
  const { opener, row, rows, place } = from
  const focusNext = () => {
    const next = rows?.isConnected ? (rows.children[place] ?? rows.lastElementChild) : undefined
    // Its link, if a box to select it comes first.
    const target =
      next?.querySelector<HTMLElement>('a') ?? next?.querySelector<HTMLElement>('button, input')
    ;(target ?? document.querySelector<HTMLElement>('h1'))?.focus()
  }
  return () => {
    leaving = from
    // The dialog leaves the page only after its clean-up.
    queueMicrotask(() => {
      leaving = undefined
      // Something else has it, such as the title of the page that was opened.
      if (document.activeElement !== document.body) return
      if (!opener?.isConnected || opener === document.body) return focusNext()
      opener.focus()
      if (row) onceRemoved(row, () => document.activeElement === document.body && focusNext())
    })
  }
}

interface Opener {
  opener: HTMLElement | null
  row: HTMLElement | null | undefined
  rows: HTMLElement | null | undefined
  /** The index of the row. */
  place: number
}

/** What opened a dialog that is leaving the page right now. */
let leaving: Opener | undefined

/** Returns what has the focus. A dialog that replaces another one has the same opener. */
function openerNow(): Opener {
  const opener = document.activeElement as HTMLElement | null
  if (leaving && opener === document.body) return leaving
  const row = opener?.closest<HTMLElement>('tr, [role="row"]')
  const rows = row?.parentElement
  return { opener, row, rows, place: row && rows ? [...rows.children].indexOf(row) : -1 }
}

/**
 * Calls `work` when the row is removed from its list. Waits at most `removalTimeout`: the event
 * that removes a row can arrive after the response.
 */
function onceRemoved(row: HTMLElement, work: () => void): void {
  const page = row.closest('main')
  if (!page) return
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  const observer = new MutationObserver(() => {
    if (row.isConnected) return
    stop()
    work()
  })
  const timer = setTimeout(stop, removalTimeout)
  observer.observe(page, { childList: true, subtree: true })
}
