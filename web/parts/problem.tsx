import './problem.css'
import type { ComponentChildren } from 'preact'
import { isLasting, nextStepOf } from '../data/problem.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Copy } from './copy.tsx'
import { State } from './state.tsx'

interface ProblemProps {
  /** What failed: "Stacks could not be loaded". */
  title: string
  /** The message of the API: the cause and what would be right. */
  error: string
  /** The Engine's own words, folded. */
  detail?: string | undefined
  requestId?: string | undefined
  /** Why, as the API says it for programs: it decides on the next step. */
  reason?: string | undefined
  /** What else to do next. */
  children?: ComponentChildren
  /** Tries again. Not offered for what stays until someone does something about it. */
  onRetry?: (() => void) | undefined
}

/** Something failed: what, why, what to do next, and the request to ask about. */
export function Problem(props: ProblemProps) {
  const { title, error, detail, requestId, reason, children } = props
  const nextStep = nextStepOf({ reason })
  const onRetry = isLasting({ reason }) ? undefined : props.onRetry
  return (
    <section class="problem" role="alert">
      <p class="problem-title">
        <State of="failed" word={title} />
      </p>
      <p>{error}</p>
      {nextStep && <p>{nextStep}</p>}
      {children}
      {detail && (
        <details>
          <summary>{t.parts.reason}</summary>
          <pre>{detail}</pre>
        </details>
      )}
      {(onRetry || requestId) && (
        <div class="problem-next">
          {onRetry && <Button onClick={onRetry}>{t.parts.retry}</Button>}
          {requestId && (
            <span class="problem-id">
              {t.parts.requestId} <code>{requestId}</code>
              <Copy text={requestId} what={t.parts.requestId} />
            </span>
          )}
        </div>
      )}
    </section>
  )
}
