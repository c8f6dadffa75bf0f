import './table.css'
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { keepOrder } from '../data/list.ts'
import type { Selection } from './chosen.ts'
import { type Column, type Sorting, sortRows, sortValueIn } from './columns.ts'
import { isPhone } from './phone.ts'
import { PhoneHead } from './phone-head.tsx'
import { type Item, type ShownProps, ShownTable } from './table-shown.tsx'
import { TableWindow } from './table-window.tsx'
import { useBoxes } from './use-boxes.ts'
import { type Order, useOrder } from './use-order.ts'

interface ListProps<T> {
  /** What the rows are: "Stacks". */
  label: string
  columns: readonly Column<T>[]
  /** The address that Enter opens. The first cell holds the link. */
  href?: (row: T) => string
  /** The menu at the end of a row, and quiet buttons before it. */
  actions?: ((row: T) => ComponentChildren) | undefined
  /** A length for them, in a list that is windowed, if they are more than a menu. */
  actionsWidth?: string
  /** The row whose details are open. */
  selected?: string | undefined
  /** With it each row has a box to choose it. */
  selection?: Selection | undefined
  /** The name of a row, for its box. */
  nameOf?: (row: T) => string
  /** The name that its order has in the address, where a page has two lists. */
  orderIn?: string
  /** Only the rows in sight are in the page, even if there are few. */
  isWindowed?: boolean
}

interface TableProps<T> extends ListProps<T> {
  rows: readonly T[]
  rowKey: (row: T) => string
}

/** A list. Its order is in the address. */
export function Table<T>({ rows, rowKey, ...list }: TableProps<T>) {
  const order = useOrder(list.orderIn)
  const sortValue = sortValueIn(list.columns, order.sorting)
  const sorted = sortValue ? sortRows(rows, sortValue, order.sorting?.isDown ?? false) : rows
  return (
    <Rows
      {...list}
      order={order}
      items={sorted.map((row) => ({ id: rowKey(row), of: { value: row } }))}
    />
  )
}

interface LiveTableProps<T> extends ListProps<T> {
  /** The ids in their order. */
  ids: ReadonlySignal<readonly string[]>
  /** The signal of a row. Only the row that reads it renders when it changes. */
  row: (id: string) => ReadonlySignal<T | undefined> | undefined
}

/** A list of which each row renders alone, such as one that events change. */
export function LiveTable<T>({ ids, row, ...list }: LiveTableProps<T>) {
  const order = useOrder(list.orderIn)
  const sorted = useSortedIds({ ids, row }, list.columns, order.sorting)
  const items = sorted.value.map((id) => ({ id, of: row(id) }))
  return <Rows {...list} order={order} items={items} />
}

function useSortedIds<T>(
  { ids, row }: Pick<LiveTableProps<T>, 'ids' | 'row'>,
  columns: readonly Column<T>[],
  sorting: Sorting | undefined,
): ReadonlySignal<readonly string[]> {
  const wanted = useSignal({ columns, sorting })
  useMemo(() => {
    wanted.value = { columns, sorting }
  }, [columns, sorting])
  const keep = useMemo(keepOrder, [])
  return useComputed(() => {
    const by = wanted.value
    const sortValue = sortValueIn(by.columns, by.sorting)
    // Reading a thousand rows makes each change of one of them cost more.
    if (!sortValue) return ids.value
    const sortValueOf = (id: string) => {
      const value = row(id)?.value
      return value === undefined ? undefined : sortValue(value)
    }
    return keep(sortRows(ids.value, sortValueOf, by.sorting?.isDown ?? false))
  })
}

/** A table lays out all of its rows when one cell changes, so longer ones are windowed. */
const tableMax = 100

interface RowsProps<T> extends ListProps<T> {
  order: Order
  items: readonly Item<T>[]
}

function Rows<T>({ selection, nameOf, isWindowed, order, ...list }: RowsProps<T>) {
  const boxes = useBoxes(selection, list.items)
  const shown: ShownProps<T> = { ...list, order, boxes, nameOf }
  const isLong = isWindowed || list.items.length > tableMax
  return (
    <>
      {isPhone.value && (
        <PhoneHead columns={list.columns} order={order} boxes={boxes} count={list.items.length} />
      )}
      {isLong ? <TableWindow {...shown} /> : <ShownTable {...shown} />}
    </>
  )
}
