import './table-window.css'
import { useMemo, useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import type { Column } from './columns.ts'
import { isPhone } from './phone.ts'
import { onRowClick, onRowKey } from './row-keys.ts'
import { ariaSortOf, classes, Head, HeadBox, labelOf, RowBox, shownIn } from './table-cells.tsx'
import type { Item, ShownProps } from './table-shown.tsx'
import { useWindow } from './use-window.ts'

/** A list of any length: only the rows in sight are in the page. */
export function TableWindow<T>(props: ShownProps<T>) {
  const { label, columns: all, items, order, href, actions, selected, boxes, nameOf } = props
  const { actionsWidth = '64px' } = props
  const isShort = isPhone.value
  const [columns, more] = useMemo(() => linesOf(all, isShort), [all, isShort])
  const hasActions = actions !== undefined
  const hasBoxes = boxes !== undefined
  const template = useMemo(
    () =>
      [
        ...(hasBoxes ? ['48px'] : []),
        ...columns.map(({ width }) => width ?? 'minmax(0, 1fr)'),
        ...(hasActions ? [actionsWidth] : []),
      ].join(' '),
    [columns, hasActions, actionsWidth, hasBoxes],
  )
  const box = useRef<HTMLDivElement>(null)
  const { first, last, rowHeight } = useWindow(box, items.length)
  return (
    <div
      class="table windowed"
      role="table"
      aria-label={label}
      aria-rowcount={items.length + 1}
      ref={box}
      onKeyDown={onRowKey}
      onClick={onRowClick}
    >
      <div
        class="table-head"
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: template }}
      >
        {boxes && (
          <div role="columnheader" class="box">
            <HeadBox boxes={boxes} count={items.length} />
          </div>
        )}
        {columns.map((column) => (
          <div
            key={column.key}
            role="columnheader"
            class={column.align}
            aria-sort={ariaSortOf(column, order)}
          >
            <Head column={column} order={order} />
          </div>
        ))}
        {actions && (
          <div role="columnheader">
            <span class="hidden-text">{t.parts.actions}</span>
          </div>
        )}
      </div>
      <div
        class="table-rows"
        role="rowgroup"
        style={{ blockSize: `${items.length * rowHeight}px` }}
      >
        {items.slice(first, last).map(({ id, of }, index) => (
          <WindowRow
            key={id}
            id={id}
            of={of}
            columns={columns}
            more={more}
            href={href}
            actions={actions}
            nameOf={nameOf}
            press={boxes?.press}
            isChosen={boxes?.chosen.has(id) ?? false}
            isOpen={selected === id}
            index={first + index}
            template={template}
            top={(first + index) * rowHeight}
          />
        ))}
      </div>
    </div>
  )
}

/** Returns the columns of the first line of a row, and those of the second one on a phone. */
function linesOf<T>(columns: readonly Column<T>[], isShort: boolean) {
  const isMore = ({ isMinor }: Column<T>) => isShort && isMinor === true
  return [columns.filter((column) => !isMore(column)), columns.filter(isMore)] as const
}

interface WindowRowProps<T>
  extends Item<T>,
    Pick<ShownProps<T>, 'columns' | 'href' | 'actions' | 'nameOf'> {
  /** Those of the second line, on a phone. */
  more: readonly Column<T>[]
  press: ((id: string, isRange: boolean) => void) | undefined
  isChosen: boolean
  isOpen: boolean
  index: number
  template: string
  top: number
}

/** Its properties stay the same values while it is in the page, so that scrolling skips it. */
function WindowRow<T>(props: WindowRowProps<T>) {
  const { id, of, href, index, template, top, isChosen, isOpen } = props
  const row = of?.value
  return (
    <div
      class={classes('table-row', isChosen && 'chosen')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen || undefined}
      data-row={row === undefined ? '' : (href?.(row) ?? '')}
      style={{ gridTemplateColumns: template, insetBlockStart: `${top}px` }}
    >
      {row !== undefined && <Cells {...props} id={id} row={row} />}
    </div>
  )
}

function Cells<T>({
  id,
  row,
  columns,
  more,
  actions,
  nameOf,
  press,
  isChosen,
}: WindowRowProps<T> & { row: T }) {
  return (
    <>
      {press && (
        <div role="cell" class="box">
          <RowBox id={id} name={nameOf?.(row) ?? id} isChosen={isChosen} press={press} />
        </div>
      )}
      {columns.map((column) => (
        <div key={column.key} role="cell" class={column.align}>
          {shownIn(column, row)}
        </div>
      ))}
      {actions && (
        <div role="cell" class="actions">
          {actions(row)}
        </div>
      )}
      {more.length > 0 && (
        <div class="table-more">
          {more.map((column) => (
            <span key={column.key} role="cell" data-label={labelOf(column)}>
              {shownIn(column, row)}
            </span>
          ))}
        </div>
      )}
    </>
  )
}
