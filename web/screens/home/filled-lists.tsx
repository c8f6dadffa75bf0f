import { hasEveryHost } from '../../data/session.ts'
import { changeSettings, type Settings } from '../../data/settings.ts'
import { useAct } from '../../data/use-act.ts'
import { Notices } from '../../frame/notices.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

/** Says that an upgrade filled settings, to those who may change them, until one dismisses it. */
export function FilledLists({ settings }: { settings: Settings | undefined }) {
  const dismiss = useAct(changeSettings, { failed: t.settings.notSaved })
  if (!hasEveryHost() || !settings?.['stacks.lists_filled']) return null
  return (
    <Notices>
      <p>
        <State of="attention" word={t.home.filledLists} />
        <Link href="/settings">{t.home.showSettings}</Link>
        <Button
          kind="quiet"
          busy={dismiss.pending.value && t.home.dismissing}
          onClick={() => void dismiss.run({ 'stacks.lists_filled': false })}
        >
          {t.frame.dismiss}
        </Button>
      </p>
    </Notices>
  )
}
