import './tabs.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Badge } from './badge.tsx'

export interface Tab {
  href: string
  label: string
  /** The number of entries in the tab, where that helps to choose. */
  count?: number | undefined
  /** The page is below the tab, so the path is not that of the tab. */
  isCurrent?: boolean
}

interface TabsProps {
  /** What the tabs belong to: "Stack shop". */
  label: string
  tabs: readonly Tab[]
  /** The path of the tab that is shown, or its whole address. */
  current: string
}

/** The sections of a page. Each has an address, so they are links. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const shown = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (bar.current && shown) {
      bar.current.scrollLeft = shown.offsetLeft - (bar.current.clientWidth - shown.offsetWidth) / 2
    }
  }, [current, tabs.length])
  useLayoutEffect(() => (bar.current ? markHidden(bar.current) : undefined), [])
  return (
    <nav class="tabs" aria-label={label} ref={bar}>
      {tabs.map(({ href, label: name, count, isCurrent }) => (
        <a
          key={href}
          href={href}
          aria-current={
            isCurrent || href === current || href.split('?')[0] === current ? 'page' : undefined
          }
        >
          {name}
          {count !== undefined && <Badge kind="count">{count}</Badge>}
        </a>
      ))}
    </nav>
  )
}

/** Marks the edges beyond which there are more tabs, until the returned function is called. */
function markHidden(bar: HTMLElement): () => void {
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth } = bar
    bar.toggleAttribute('data-before', scrollLeft > 8)
    bar.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 8)
  }
  const resize = new ResizeObserver(mark)
  resize.observe(bar)
  for (const tab of bar.children) resize.observe(tab)
  bar.addEventListener('scroll', mark, { passive: true })
  return () => resize.disconnect()
}
