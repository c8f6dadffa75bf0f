/** How long a row may take to leave its list after its dialog. Milliseconds. */
const patience = 20_000

/**
 * Returns a function that gives the focus back to the element that has it now. If that was removed
 * meanwhile, or is with the row of a deleted thing, the next row gets it, else the title of the
 * page.
 */
export function focusReturner(): () => void {
  const opener = document.activeElement as HTMLElement | null
  const row = opener?.closest<HTMLElement>('tr, [role="row"]')
  const rows = row?.parentElement
  const place = row && rows ? [...rows.children].indexOf(row) : -1
  const focusNext = () => {
    const next = rows?.isConnected ? (rows.children[place] ?? rows.lastElementChild) : undefined
    // Its link, if a box to select it comes first.
    const target =
      next?.querySelector<HTMLElement>('a') ?? next?.querySelector<HTMLElement>('button, input')
    ;(target ?? document.querySelector<HTMLElement>('h1'))?.focus()
  }
  return () => {
    // The dialog leaves the page only after its clean-up.
    queueMicrotask(() => {
      // Something else has it, such as the title of the page that was opened.
      if (document.activeElement !== document.body) return
      if (!opener?.isConnected || opener === document.body) return focusNext()
      opener.focus()
      if (row) onceRemoved(row, () => document.activeElement === document.body && focusNext())
    })
  }
}

/** Calls `work` if the row of a list is removed soon, as an event may say later than a response. */
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
  const timer = setTimeout(stop, patience)
  observer.observe(page, { childList: true, subtree: true })
}
