import './skeleton.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../text/text.ts'

interface SkeletonProps {
  /** What is loaded: "stacks", or a host that has to answer. */
  what: string
  rows?: number
}

/** The shape of what is loading. After 3 s it says what it waits for. */
export function Skeleton({ what, rows = 6 }: SkeletonProps) {
  const isLate = useSignal(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      isLate.value = true
    }, 3000)
    return () => clearTimeout(timer)
  }, [isLate])
  return (
    <div class="skeleton">
      <p role="status" class={isLate.value ? undefined : 'hidden-text'}>
        {isLate.value ? t.parts.waiting(what) : t.parts.loading(what)}
      </p>
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <i key={index} />
        ))}
      </div>
    </div>
  )
}
