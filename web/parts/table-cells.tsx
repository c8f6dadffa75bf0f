import { ChevronDown, ChevronUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import { Checkbox } from './checkbox.tsx'
import type { Column } from './columns.ts'
import { Icon } from './icon.tsx'
import { None } from './none.tsx'
import { isPhone } from './phone.ts'
import type { Boxes } from './use-boxes.ts'
import type { Order } from './use-order.ts'

export type AnyColumn = Omit<Column<never>, 'cell' | 'sort'>

/** The classes of a cell. Columns without a width share what is left, and cut their text. */
export const classOf = ({ key, align, isMinor, width }: AnyColumn, isFirst: boolean): string =>
  classes(
    `of-${key}`,
    align,
    isMinor && 'minor',
    width === undefined && 'fluid',
    isFirst && 'first',
  )

export const classes = (...names: (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ')

/** Returns what a cell shows. A figure that there is not is a dash, alike in all lists. */
export function shownIn<T>({ cell, align }: Column<T>, row: T): ComponentChildren {
  const shown = cell(row)
  const isNothing = shown === undefined || shown === null || shown === false || shown === ''
  return align === 'end' && isNothing ? <None /> : shown
}

/** Returns what stands before a value in the second line of a row on a phone. */
export function labelOf({ align, isMinor, label, isLabelled = align === 'end' }: AnyColumn) {
  return isMinor && isLabelled ? label : undefined
}

/** Returns the order of a column, as a reader of the screen hears it. */
export function ariaSortOf({ key }: AnyColumn, { sorting }: Order) {
  if (sorting?.key !== key) return undefined
  return sorting.isDown ? ('descending' as const) : ('ascending' as const)
}

/** The head of a column: a button, if the column sorts. A phone has a choice above the list. */
export function Head<T>({ column, order }: { column: Column<T>; order: Order }) {
  const { key, label, sort } = column
  if (!sort || isPhone.value) return <>{label}</>
  const by = order.sorting?.key === key ? order.sorting : undefined
  return (
    <button
      type="button"
      class="sort"
      title={t.parts.sortBy(label)}
      onClick={() => order.press(column)}
    >
      {label}
      {by && <Icon of={by.isDown ? ChevronDown : ChevronUp} />}
    </button>
  )
}

interface RowBoxProps {
  id: string
  name: string
  isChosen: boolean
  press: Boxes['press']
}

/** The box that chooses a row. */
export function RowBox({ id, name, isChosen, press }: RowBoxProps) {
  const isRange = useRef(false)
  return (
    // The press comes before the change, and knows of Shift.
    // biome-ignore lint/a11y/noStaticElementInteractions: the box in it is what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: Space on the box is a click too
    <span
      class="row-box"
      onClick={({ shiftKey }) => {
        isRange.current = shiftKey
      }}
    >
      <Checkbox
        isBare
        label={t.lists.selectOne(name)}
        checked={isChosen}
        onChange={() => press(id, isRange.current)}
      />
    </span>
  )
}

/** The head of the boxes. On a phone the box for all rows is above the list. */
export function HeadBox(props: AllBoxProps) {
  if (isPhone.value) return <span class="hidden-text">{t.lists.select}</span>
  return <AllBox {...props} />
}

interface AllBoxProps {
  boxes: Boxes
  /** How many rows there are. */
  count: number
}

/** The box that chooses all rows that are shown. */
export function AllBox({ boxes: { all, pressAll }, count }: AllBoxProps) {
  return (
    <Checkbox
      isBare
      label={t.lists.selectAll(count)}
      checked={all === 'all'}
      isMixed={all === 'some'}
      onChange={pressAll}
    />
  )
}
