import { UserCheck } from 'lucide'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

interface BlockedWorkProps {
  /** What does not run: "nightly does not run". */
  title: string
  /** Why, as the API says it. */
  error: string
  /** What taking it over means. */
  help: string
  /** Takes it over; false for those who may not try. */
  action: { label: string; busy: string | false; run: () => void } | false
}

/** Why something does not run for the account that it acts as, and how to take it over. */
export function BlockedWork({ title, error, help, action }: BlockedWorkProps) {
  return (
    <Problem title={title} error={error}>
      <p>{help}</p>
      {action && (
        <div class="problem-next">
          <Button icon={UserCheck} busy={action.busy} onClick={action.run}>
            {action.label}
          </Button>
        </div>
      )}
    </Problem>
  )
}
