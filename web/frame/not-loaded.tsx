import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { t } from '../text/text.ts'

/**
 * Says that a part of the page could not be loaded. A page of an older version asks for files that
 * an update has replaced.
 */
export const NotLoaded = ({ detail }: { detail: string }) => (
  <Problem title={t.frame.broken} error={t.frame.notLoaded} detail={detail}>
    <p>
      <Button kind="primary" onClick={() => location.reload()}>
        {t.frame.reload}
      </Button>
    </p>
  </Problem>
)
