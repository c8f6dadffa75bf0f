/** Places an open menu below its button, or above it where there is no room, and focuses it. */
export function placeBelow(
  button: HTMLElement | null,
  list: HTMLElement | null,
  { newState }: { newState?: string },
): void {
  button?.setAttribute('aria-expanded', String(newState === 'open'))
  if (!button || !list || newState !== 'open') return
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const isBelow = bottom + 4 + height <= innerHeight || top < height
  const alignsRight = left + width > innerWidth - 8
  list.style.top = `${isBelow ? bottom + 4 : top - 4 - height}px`
  list.style.left = `${Math.max(8, alignsRight ? right - width : left)}px`
  itemsOf(list)[0]?.focus()
}

/** Moves the focus in a menu: arrows, Home, End, and the first letter of an item. */
export function moveFocus(
  list: HTMLElement | null,
  button: HTMLElement | null,
  event: KeyboardEvent,
): void {
  if (!list) return
  const items = itemsOf(list)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const target = targetOf(event.key, items, at)
  if (target) {
    event.preventDefault()
    event.stopPropagation()
    target.focus()
  } else if (event.key === 'Tab') {
    list.hidePopover()
    button?.focus()
  }
}

function targetOf(key: string, items: HTMLElement[], at: number): HTMLElement | undefined {
  const count = items.length
  if (key === 'ArrowDown') return items[(at + 1) % count]
  if (key === 'ArrowUp') return items[(at - 1 + count) % count]
  if (key === 'Home') return items[0]
  if (key === 'End') return items[count - 1]
  if (!/^\p{L}$/u.test(key)) return undefined
  const begins = (item: HTMLElement) =>
    item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase())
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
}

const itemsOf = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role="menuitem"]')]
