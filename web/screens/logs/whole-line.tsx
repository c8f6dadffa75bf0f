import { useLayoutEffect, useRef } from 'preact/hooks'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'
import { plainText } from './ansi.ts'
import type { LogLine } from './log-ring.ts'
import { rangeOf } from './log-search.ts'
import { timeOf } from './shown-line.ts'

/** Letters of a part of a line. Parts out of sight are not laid out. */
const partLength = 20_000

interface WholeLineProps {
  line: LogLine
  /** What is searched for. The first match is shown. */
  wanted: RegExp | undefined
  onClose: () => void
}

/** A line that is too long for the list, as a whole. */
export function WholeLine({ line, wanted, onClose }: WholeLineProps) {
  const text = plainText(line.text)
  const parts = Array.from({ length: Math.ceil(text.length / partLength) }, (_, index) =>
    text.slice(index * partLength, (index + 1) * partLength),
  )
  const place = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    if (place.current && wanted) showFirst(place.current, wanted)
  }, [])
  return (
    <Dialog
      title={t.logs.lineOf(timeOf(line.time))}
      size="large"
      onClose={onClose}
      actions={<Copy text={text} what={t.logs.theLine} />}
    >
      <pre ref={place} class="log-whole" tabIndex={0}>
        {parts.map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </pre>
    </Dialog>
  )
}

/** Marks the first match, and scrolls to it. */
function showFirst(place: HTMLElement, wanted: RegExp): void {
  const match = new RegExp(wanted.source, wanted.flags.replace('g', '')).exec(
    place.textContent ?? '',
  )
  if (!match) return
  const range = rangeOf(place, match.index, match.index + match[0].length)
  CSS.highlights?.set('log-current', new Highlight(range))
  range.startContainer.parentElement?.scrollIntoView()
  const { top } = range.getBoundingClientRect()
  place.scrollBy({ top: top - place.getBoundingClientRect().top - place.clientHeight / 2 })
}
