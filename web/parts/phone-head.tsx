import './phone-head.css'
import { t } from '../text/text.ts'
import { type Column, orderWordsOf } from './columns.ts'
import { Select } from './select.tsx'
import { AllBox } from './table-cells.tsx'
import type { Boxes } from './use-boxes.ts'
import type { Order } from './use-order.ts'

interface PhoneHeadProps<T> {
  columns: readonly Column<T>[]
  order: Order
  boxes: Boxes | undefined
  /** How many rows there are. */
  count: number
}

/** A list of fewer rows is in sight as a whole. */
const headFrom = 4

/**
 * What the heads of a list are for, where a phone has no room for them: the box for all rows, and
 * the choice of the order. Shows nothing above a list of a few rows.
 */
export function PhoneHead<T>({ columns, order, boxes, count }: PhoneHeadProps<T>) {
  const words = orderWordsOf(columns)
  if (count < headFrom || (!boxes && words.length === 0)) return null
  return (
    <div class="phone-head">
      {boxes && <AllBox boxes={boxes} count={count} />}
      {words.length > 0 && <SortChoice words={words} order={order} />}
    </div>
  )
}

interface SortChoiceProps {
  words: ReturnType<typeof orderWordsOf>
  order: Order
}

function SortChoice({ words, order }: SortChoiceProps) {
  const options = [
    { value: '', label: t.parts.usualOrder },
    ...words.map(({ word, label, isDown }) => ({
      value: word,
      label: isDown ? t.parts.orderDown(label) : t.parts.orderUp(label),
    })),
  ]
  const isKnown = words.some(({ word }) => word === order.word)
  return (
    <div class="sort-choice">
      <Select
        label={t.parts.order}
        value={isKnown ? order.word : ''}
        options={options}
        onChange={order.choose}
      />
    </div>
  )
}
