import { useSignal } from '@preact/signals'
import { endOtherSessions } from '../../data/account.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { EndTokens } from './end-tokens.tsx'

/** Ends all sessions but this one, and the API tokens if chosen. */
export function EndOthers() {
  const isOpen = useSignal(false)
  const endsTokens = useSignal(false)
  const end = useAct(endOtherSessions, {
    ended: () => t.account.othersEnded,
    failed: t.account.othersNotEnded,
    tellsProblem: false,
  })
  const close = () => {
    isOpen.value = false
    endsTokens.value = false
    end.reset()
  }
  const submit = async () => {
    await end.run(endsTokens.value)
    if (!end.problem.value) close()
  }
  return (
    <>
      <Button
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.account.endOthers}
      </Button>
      {isOpen.value && (
        <FormDialog
          title={t.account.endOthersAsk}
          action={t.account.endOthers}
          busy={end.pending.value && t.account.endingOthers}
          failed={t.account.othersNotEnded}
          problem={end.problem.value}
          onSubmit={() => void submit()}
          onClose={close}
        >
          <p>{t.account.endOthersWhy}</p>
          <EndTokens value={endsTokens} />
        </FormDialog>
      )}
    </>
  )
}
