import { RefreshCw } from 'lucide'
import { lookNow } from '../../data/updates.ts'
import { useAct } from '../../data/use-act.ts'
import { usePageAction } from '../../frame/page-action.ts'
import { Button } from '../../parts/button.tsx'
import { t } from '../../text/text.ts'

/** Asks registries now. The list shows when they have answered. */
export function LookNow() {
  const look = useAct(lookNow, { ended: t.updates.asked, failed: t.updates.notAsked })
  const run = () => void look.run()
  usePageAction({ label: t.updates.look, icon: RefreshCw, keys: 'r', run })
  return (
    <Button icon={RefreshCw} busy={look.pending.value && t.updates.asking} onClick={run}>
      {t.updates.look}
    </Button>
  )
}
