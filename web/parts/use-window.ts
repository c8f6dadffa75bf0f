import { useComputed, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { windowOf } from './window-of.ts'

/**
 * Returns which rows of a list are in the page: those in sight, and some around them. It follows
 * what scrolls: the list itself, what it is in, or the page.
 *
 * @param count how many rows there are
 */
export function useWindow(box: RefObject<HTMLElement | null>, count: number) {
  const top = useSignal(0)
  const size = useSignal({ height: 600, rowHeight: 36 })
  const length = useSignal(count)
  if (length.peek() !== count) length.value = count
  useLayoutEffect(() => {
    const list = box.current
    return list ? follow(list, { top, size }) : undefined
  }, [])
  const shown = useComputed(() => windowOf({ top: top.value, ...size.value }, length.value))
  // Scrolling renders only when rows come and go.
  const first = useComputed(() => shown.value.first).value
  const last = useComputed(() => shown.value.last).value
  return { first, last, rowHeight: size.value.rowHeight }
}

interface View {
  top: { value: number }
  size: { value: { height: number; rowHeight: number } }
}

function follow(list: HTMLElement, { top, size }: View): () => void {
  const scroller = scrollerOf(list)
  const isPage = scroller === document.documentElement
  const look = () => {
    top.value = scroller === list ? list.scrollTop : hiddenAbove(list, scroller, isPage)
  }
  const measure = () => {
    const rowHeight = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row')) || 36
    const height = scroller.clientHeight
    const { value } = size
    if (value.height !== height || value.rowHeight !== rowHeight) size.value = { height, rowHeight }
    look()
  }
  const observer = new ResizeObserver(measure)
  for (const element of new Set([list, scroller])) observer.observe(element)
  const source = isPage ? document : scroller
  source.addEventListener('scroll', look, { passive: true })
  addEventListener('resize', measure)
  measure()
  return () => {
    observer.disconnect()
    source.removeEventListener('scroll', look)
    removeEventListener('resize', measure)
  }
}

function scrollerOf(list: HTMLElement): HTMLElement {
  for (let at: HTMLElement | null = list; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return document.documentElement
}

/** Returns how much of the list is above what is in sight, in pixels. */
function hiddenAbove(list: HTMLElement, scroller: HTMLElement, isPage: boolean): number {
  const edge = isPage ? 0 : scroller.getBoundingClientRect().top
  return Math.max(0, edge - list.getBoundingClientRect().top)
}
