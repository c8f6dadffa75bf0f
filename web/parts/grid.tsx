import './grid.css'
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Column } from './columns.ts'
import { windowOf } from './grid-window.ts'
import { isPhone } from './phone.ts'
import { onRowClick, onRowKey } from './row-keys.ts'

interface GridProps<T> {
  /** What the rows are: "Containers". */
  label: string
  columns: readonly Column<T>[]
  /** The ids in their order. */
  order: ReadonlySignal<readonly string[]>
  /** The signal of a row. Only the row that reads it renders when it changes. */
  row: (id: string) => ReadonlySignal<T | undefined> | undefined
  href?: (row: T) => string
}

/** A list of any length: only the rows in sight are in the page. It fills its container. */
export function Grid<T>({ label, columns: all, order, row, href }: GridProps<T>) {
  const isShort = isPhone.value
  const columns = useMemo(
    () => (isShort ? all.filter(({ isMinor }) => !isMinor) : all),
    [all, isShort],
  )
  const more = useMemo(() => (isShort ? all.filter(({ isMinor }) => isMinor) : []), [all, isShort])
  const template = useMemo(() => columns.map(({ width }) => width ?? '1fr').join(' '), [columns])
  const scroller = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const size = useSignal({ height: 600, rowHeight: 36 })
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (scroller.current) size.value = sizeOf(scroller.current)
    })
    if (scroller.current) observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [])
  const shown = useComputed(() => windowOf({ top: top.value, ...size.value }, order.value.length))
  // Scrolling renders only when rows come and go.
  const first = useComputed(() => shown.value.first).value
  const last = useComputed(() => shown.value.last).value
  const { rowHeight } = size.value
  return (
    <div
      class="grid"
      role="table"
      aria-label={label}
      aria-rowcount={order.value.length + 1}
      ref={scroller}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop
      }}
      onKeyDown={onRowKey}
      onClick={onRowClick}
    >
      <div class="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ key, label: name, head, align }) => (
          <div key={key} role="columnheader" class={align}>
            {head ?? name}
          </div>
        ))}
      </div>
      <div
        class="grid-rows"
        role="rowgroup"
        style={{ blockSize: `${order.value.length * rowHeight}px` }}
      >
        {order.value.slice(first, last).map((id, index) => (
          <GridRow
            key={id}
            of={row(id)}
            columns={columns}
            more={more}
            href={href}
            index={first + index}
            template={template}
            top={(first + index) * rowHeight}
          />
        ))}
      </div>
    </div>
  )
}

const sizeOf = (element: HTMLElement) => ({
  height: element.clientHeight,
  rowHeight: Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 36,
})

interface GridRowProps<T> {
  of: ReadonlySignal<T | undefined> | undefined
  columns: readonly Column<T>[]
  /** Those of the second line, on a phone. */
  more: readonly Column<T>[]
  href: ((row: T) => string) | undefined
  index: number
  template: string
  top: number
}

/** Its properties stay the same values while it is in the page, so that scrolling skips it. */
function GridRow<T>({ of, columns, more, href, index, template, top }: GridRowProps<T>) {
  const value = of?.value
  return (
    <div
      class="grid-row"
      role="row"
      aria-rowindex={index + 2}
      data-row={value === undefined ? '' : (href?.(value) ?? '')}
      style={{ gridTemplateColumns: template, insetBlockStart: `${top}px` }}
    >
      {value !== undefined &&
        columns.map(({ key, cell, align }) => (
          <div key={key} role="cell" class={align}>
            {cell(value)}
          </div>
        ))}
      {value !== undefined && more.length > 0 && (
        <div class="grid-more">
          {more.map(({ key, cell }) => (
            <span key={key} role="cell">
              {cell(value)}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
