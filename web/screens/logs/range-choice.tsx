import './choice.css'
import './range-choice.css'
import { useSignal } from '@preact/signals'
import { ChevronDown } from 'lucide'
import { useId, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { exactTime } from '../../parts/format-time.ts'
import { Icon } from '../../parts/icon.tsx'
import { placeBelow } from '../../parts/menu-position.ts'
import { t } from '../../text/text.ts'
import { fieldOf, lengths, type RangeWords, timeOfField } from './log-range.ts'
import { useLogQuery } from './use-log-query.ts'

const anyTime: RangeWords = { last: '', from: '', to: '' }

/** A button with a list of ranges of time, and fields for another one. */
export function RangeChoice() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLFieldSetElement>(null)
  const { range, setRange } = useLogQuery()
  const choose = (next: RangeWords) => {
    list.current?.hidePopover()
    button.current?.focus()
    setRange(next)
  }
  return (
    <span class="choice">
      <button
        ref={button}
        type="button"
        class="button plain"
        popovertarget={id}
        title={t.logs.range}
      >
        <span class="choice-words">{summaryOf(range)}</span>
        <Icon of={ChevronDown} />
      </button>
      <fieldset
        ref={list}
        id={id}
        class="choice-list range-list"
        popover="auto"
        aria-label={t.logs.range}
        onToggle={(event) => {
          placeBelow(button.current, list.current, event)
          if (event.newState === 'open') list.current?.querySelector('button')?.focus()
        }}
      >
        {['', ...lengths].map((last) => (
          <button
            key={last}
            type="button"
            class="button quiet"
            aria-pressed={last === '' ? isAny(range) : last === range.last}
            onClick={() => choose({ ...anyTime, last })}
          >
            <span>{last === '' ? t.logs.anyTime : lastWords(last)}</span>
          </button>
        ))}
        <OwnRange key={JSON.stringify(range)} range={range} onChoose={choose} />
      </fieldset>
    </span>
  )
}

interface OwnRangeProps {
  range: RangeWords
  onChoose: (range: RangeWords) => void
}

/** The fields of a range. Their times are in the time zone of the browser. */
function OwnRange({ range, onChoose }: OwnRangeProps) {
  const from = useSignal(fieldOf(range.from))
  const to = useSignal(fieldOf(range.to))
  const isWrong = from.value !== '' && to.value !== '' && from.value >= to.value
  const isEmpty = from.value === '' && to.value === ''
  const apply = () =>
    onChoose({ last: '', from: timeOfField(from.value), to: timeOfField(to.value) })
  const fields = [
    { label: t.logs.from, value: from, error: undefined },
    { label: t.logs.to, value: to, error: isWrong ? t.logs.wrongRange : undefined },
  ]
  return (
    <>
      {fields.map(({ label, value, error }) => (
        <Field key={label} label={label} error={error}>
          {(control) => (
            <input
              {...control}
              class="input"
              type="datetime-local"
              step="1"
              value={value.value}
              onInput={(event) => {
                value.value = event.currentTarget.value
              }}
            />
          )}
        </Field>
      ))}
      <Button onClick={() => !isWrong && !isEmpty && apply()}>{t.logs.applyRange}</Button>
    </>
  )
}

const isAny = ({ last, from, to }: RangeWords) => last === '' && from === '' && to === ''

const lastWords = (last: string): string =>
  ({ '15m': t.logs.last15m, '1h': t.logs.last1h, '24h': t.logs.last24h })[last] ?? last

function summaryOf(range: RangeWords): string {
  const { last, from, to } = range
  if (last !== '') return lastWords(last)
  if (isAny(range)) return t.logs.anyTime
  const words = (time: string) => (time === '' ? '…' : exactTime(new Date(time)))
  return `${words(from)} – ${words(to)}`
}
