import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { t } from '../text/text.ts'

interface BrokenProps {
  /** Why the page, or a part of it, does not work. */
  reason: string
  detail: string
}

/** Says that the page, or a part of it, does not work, and offers to reload it. */
export const Broken = ({ reason, detail }: BrokenProps) => (
  <Problem title={t.frame.broken} error={reason} detail={detail}>
    <p>
      <Button kind="primary" onClick={() => location.reload()}>
        {t.frame.reload}
      </Button>
    </p>
  </Problem>
)

/**
 * Says that a part of the page could not be loaded. A page of an older version asks for files that
 * an update has replaced.
 */
export const NotLoaded = ({ detail }: { detail: string }) => (
  <Broken reason={t.frame.notLoaded} detail={detail} />
)
