/**
 * Moves in a list of rows by `j`, `k` and the arrows, opens a row by Enter and chooses it by `x`;
 * `X` chooses those between it and the last one too. Rows carry `data-row`, with the address that
 * they open.
 */
export function onRowKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest(typing)) return
  const row = target.closest<HTMLElement>('[data-row]')
  if (!row) return
  if (event.key === 'x' || event.key === 'X') {
    pressBox(row, event)
    return
  }
  const steps: Record<string, -1 | 1> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  focusRow(step === 1 ? row.nextElementSibling : row.previousElementSibling)
}

/** Keys are not for the list where they type or choose something. */
const typing = 'input:not([type="checkbox"]), select, textarea, dialog, [popover]'

function pressBox(row: HTMLElement, event: KeyboardEvent): void {
  const box = row.querySelector('.row-box input')
  if (!box) return
  event.preventDefault()
  event.stopPropagation()
  box.dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: event.key === 'X' }),
  )
}

/** Opens a row by a click anywhere in it, unless it is for something else or ends a selection. */
export function onRowClick(event: MouseEvent): void {
  const target = event.target as HTMLElement
  if (target.closest('a, button, input, label, select, summary, dialog, .box, [popover]')) return
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  if (getSelection()?.isCollapsed === false) return
  target.closest<HTMLElement>('[data-row]:not([data-row=""])')?.querySelector('a')?.click()
}

/** Focuses the first row of the page's list. Returns whether there is one. */
export function focusFirstRow(): boolean {
  return focusRow(document.querySelector('main [data-row]'))
}

function focusRow(row: Element | null): boolean {
  // Enter opens the row, also if a box to select it comes first.
  const target =
    row?.querySelector<HTMLElement>('a') ?? row?.querySelector<HTMLElement>('button, input')
  target?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return target !== null && target !== undefined
}
