import type { ComponentChildren } from 'preact'
import { t } from '../text/text.ts'
import type { Column } from './columns.ts'
import { onRowClick, onRowKey } from './row-keys.ts'
import {
  ariaSortOf,
  classes,
  classOf,
  Head,
  HeadBox,
  labelOf,
  RowBox,
  shownIn,
} from './table-cells.tsx'
import type { Boxes } from './use-boxes.ts'
import type { Order } from './use-order.ts'

/** A row by its id. One that is a signal renders alone. */
export interface Item<T> {
  id: string
  of: { readonly value: T | undefined } | undefined
}

/** What both forms of a list show. */
export interface ShownProps<T> {
  label: string
  columns: readonly Column<T>[]
  items: readonly Item<T>[]
  order: Order
  href?: ((row: T) => string) | undefined
  actions?: ((row: T) => ComponentChildren) | undefined
  actionsWidth?: string
  selected?: string | undefined
  boxes: Boxes | undefined
  nameOf: ((row: T) => string) | undefined
}

/** A list with all of its rows in the page. */
export function ShownTable<T>(props: ShownProps<T>) {
  const { label, columns, items, order, actions, boxes } = props
  return (
    <table
      class={classes(
        'table',
        columns.some(({ isMinor }) => isMinor) && 'two-lines',
        columns.some(({ width, isMinor }) => width === undefined && !isMinor) && 'has-fluid',
        boxes && 'with-boxes',
      )}
      aria-label={label}
      onKeyDown={onRowKey}
      onClick={onRowClick}
    >
      <thead>
        <tr>
          {boxes && (
            <th class="box" scope="col">
              <HeadBox boxes={boxes} count={items.length} />
            </th>
          )}
          {columns.map((column, at) => (
            <th
              key={column.key}
              class={classOf(column, at === 0)}
              style={column.width ? { '--width': column.width } : undefined}
              scope="col"
              aria-sort={ariaSortOf(column, order)}
            >
              <Head column={column} order={order} />
            </th>
          ))}
          {actions && (
            <th class="actions">
              <span class="hidden-text">{t.parts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, of }) => (
          <Row key={id} id={id} of={of} in={props} isChosen={boxes?.chosen.has(id) ?? false} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps<T> extends Item<T> {
  in: ShownProps<T>
  isChosen: boolean
}

function Row<T>({ id, of, in: list, isChosen }: RowProps<T>) {
  const { columns, href, actions, selected, boxes, nameOf } = list
  const row = of?.value
  if (row === undefined) return null
  return (
    <tr
      class={isChosen ? 'chosen' : undefined}
      data-row={href?.(row) ?? ''}
      aria-selected={selected === id || undefined}
    >
      {boxes && (
        <td class="box">
          <RowBox id={id} name={nameOf?.(row) ?? id} isChosen={isChosen} press={boxes.press} />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.key} class={classOf(column, at === 0)} data-label={labelOf(column)}>
          {shownIn(column, row)}
        </td>
      ))}
      {actions && <td class="actions">{actions(row)}</td>}
    </tr>
  )
}
