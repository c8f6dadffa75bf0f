import './problem.css'
import type { ComponentChildren } from 'preact'
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
  /** What to do next. */
  children?: ComponentChildren
  onRetry?: (() => void) | undefined
}

/** Something failed: what, why, what to do next, and the request to ask about. */
export function Problem({ title, error, detail, requestId, children, onRetry }: ProblemProps) {
  return (
    <section class="problem" role="alert">
      <p class="problem-title">
        <State of="failed" word={title} />
      </p>
      <p>{error}</p>
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
