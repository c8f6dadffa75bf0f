import './code-field.css'
import { useRef } from 'preact/hooks'
import { Field } from './field.tsx'

/** A line of a text that something is said about. */
export interface LineMark {
  /** From 1. */
  line: number
  severity: 'error' | 'warning'
}

interface CodeFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  help?: string | undefined
  error?: string | undefined
  marks?: readonly LineMark[]
  placeholder?: string
  /** Lines shown at least. */
  rows?: number
  /** The line to go to; a new object goes there again. */
  goTo?: { line: number } | undefined
}

/** The height of a line and of the space above the first, as in the style sheet. */
const lineHeight = 20
const paddingTop = 8

/** A field for the text of a file, with line numbers and marks at lines. */
export function CodeField(props: CodeFieldProps) {
  const { label, value, onInput, help, error, marks = [], placeholder, rows = 14, goTo } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const shownPlace = useRef(goTo)
  const count = value.split('\n').length
  const numbers = Array.from({ length: count }, (_, index) => index + 1).join('\n')
  if (goTo && shownPlace.current !== goTo) {
    shownPlace.current = goTo
    queueMicrotask(() => area.current && select(area.current, goTo.line))
  }
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <div class="code-field">
          {byLine(marks).map(({ line, severity }) => (
            <i
              key={line}
              class={severity}
              style={{ insetBlockStart: `${(line - 1) * lineHeight + paddingTop}px` }}
            />
          ))}
          <pre aria-hidden="true">{numbers}</pre>
          <textarea
            {...control}
            ref={area}
            rows={Math.max(count + 1, rows)}
            value={value}
            placeholder={placeholder}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  )
}

/** Returns one mark a line; an error wins. */
function byLine(marks: readonly LineMark[]): LineMark[] {
  const lines = new Map<number, LineMark>()
  for (const mark of marks) {
    if (lines.get(mark.line)?.severity !== 'error') lines.set(mark.line, mark)
  }
  return [...lines.values()]
}

function select(area: HTMLTextAreaElement, line: number): void {
  const before = area.value.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, text) => sum + text.length + 1, 0)
  const length = area.value.split('\n')[line - 1]?.length ?? 0
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, start + length)
  area.parentElement?.scrollTo({ top: Math.max(0, (line - 4) * lineHeight) })
}
