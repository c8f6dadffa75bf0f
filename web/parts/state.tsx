import './state.css'
import { t } from '../text/text.ts'

export type StateName = 'running' | 'working' | 'attention' | 'failed' | 'stopped' | 'unknown'

interface StateProps {
  of: StateName
  /** A more exact word than that of the state, such as "Deploying" for `working`. */
  word?: string
  /** Shows the shape alone; the word is the tooltip, and is read. */
  isShort?: boolean
}

/** A state: one word, one shape, one colour, everywhere. */
export function State({ of, word = t.states[of], isShort }: StateProps) {
  return (
    <span class={`state ${of}`} title={isShort ? word : undefined}>
      <svg aria-hidden="true" width="12" height="12" viewBox="0 0 12 12">
        {shapes[of]}
      </svg>
      <span class={isShort ? 'hidden-text' : undefined}>{word}</span>
    </span>
  )
}

const shapes = {
  running: <circle cx="6" cy="6" r="4" />,
  working: (
    <>
      <circle cx="6" cy="6" r="4" class="ring" />
      <path d="M6 2a4 4 0 0 1 0 8z" />
    </>
  ),
  attention: <path d="M6 1.2 11 10.4H1z" stroke-linejoin="round" />,
  failed: <rect x="2" y="2" width="8" height="8" rx="1" />,
  stopped: <circle cx="6" cy="6" r="3.5" class="ring" />,
  unknown: <path d="M3.8 4.4a2.2 2.2 0 1 1 3.4 1.9c-.8.5-1.2.8-1.2 1.6M6 9.9v.6" class="ring" />,
}
