import './table.css'
import { useSignal } from '@preact/signals'
import { ChevronDown, ChevronUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { type Column, type Sorting, sortRows } from './columns.ts'
import { Icon } from './icon.tsx'
import { onRowClick, onRowKey } from './row-keys.ts'

interface TableProps<T> {
  /** What the rows are: "Stacks". */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** The address that Enter opens. The first cell holds the link. */
  href?: (row: T) => string
  /** The menu at the end of a row, and quiet buttons before it. */
  actions?: (row: T) => ComponentChildren
  /** The row whose details are open. */
  selected?: string | undefined
}

const step = 100

/** A list. Beyond 100 rows a button shows more, because a table lays out all of its rows. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, rowKey, href, actions, selected } = props
  const sorting = useSignal<Sorting | undefined>(undefined)
  const limit = useSignal(step)
  const sorted = sortRows(rows, columns, sorting.value)
  const more = sorted.length - limit.value
  return (
    <>
      <table class="table" aria-label={label} onKeyDown={onRowKey} onClick={onRowClick}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} />
            ))}
            {actions && (
              <th class="actions">
                <span class="hidden-text">{t.parts.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, limit.value).map((row) => (
            <tr
              key={rowKey(row)}
              data-row={href?.(row) ?? ''}
              aria-selected={selected === rowKey(row) || undefined}
            >
              {columns.map((column) => (
                <td key={column.key} class={classOf(column)} data-label={labelOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && <td class="actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Button
          onClick={() => {
            limit.value += step
          }}
        >
          {t.parts.showMore(Math.min(step, more), more)}
        </Button>
      )}
    </>
  )
}

/** Columns without a width share what the others leave, and cut their text. */
const classOf = ({ align, isMinor, width }: Omit<Column<never>, 'cell' | 'sort'>) =>
  [align, isMinor && 'minor', width === undefined && 'fluid'].filter(Boolean).join(' ')

const labelOf = (column: Omit<Column<never>, 'cell' | 'sort'>) => {
  const { align, isMinor, label, isLabelled = align === 'end' } = column
  return isMinor && isLabelled ? label : undefined
}

interface HeadProps<T> {
  column: Column<T>
  sorting: { value: Sorting | undefined }
}

function Head<T>({ column, sorting }: HeadProps<T>) {
  const { key, label, head, width, sort } = column
  const by = sorting.value?.key === key ? sorting.value : undefined
  const changeOrder = () => {
    sorting.value = by?.isDown ? undefined : { key, isDown: by !== undefined }
  }
  const order = by && (by.isDown ? 'descending' : 'ascending')
  const style = width ? { '--width': width } : undefined
  return (
    <th class={classOf(column)} style={style} scope="col" aria-sort={order}>
      {sort ? (
        <button type="button" title={t.parts.sortBy(label)} onClick={changeOrder}>
          {label}
          {by && <Icon of={by.isDown ? ChevronDown : ChevronUp} />}
        </button>
      ) : (
        (head ?? label)
      )}
    </th>
  )
}
