import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'
import { plainText } from './ansi.ts'
import type { LogLine } from './log-ring.ts'
import { timeOf } from './shown-line.ts'

/** Letters of a part of a line. Parts out of sight are not laid out. */
const partLength = 20_000

/** A line that is too long for the list, as a whole. */
export function WholeLine({ line, onClose }: { line: LogLine; onClose: () => void }) {
  const text = plainText(line.text)
  const parts = Array.from({ length: Math.ceil(text.length / partLength) }, (_, index) =>
    text.slice(index * partLength, (index + 1) * partLength),
  )
  return (
    <Dialog
      title={t.logs.lineOf(timeOf(line.time))}
      size="large"
      onClose={onClose}
      actions={<Copy text={text} what={t.logs.theLine} />}
    >
      <pre class="log-whole" tabIndex={0}>
        {parts.map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </pre>
    </Dialog>
  )
}
