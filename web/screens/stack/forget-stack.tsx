import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { resource } from '../../data/cache.ts'
import { forgetStack, type StackDetails } from '../../data/stack-operations.ts'
import { go } from '../../frame/address.ts'
import { hasPageAt } from '../../frame/known-pages.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'

/** Asks before a stack leaves the service and stays on its host. */
export function ForgetStack({ stack, onClose }: { stack: StackDetails; onClose: () => void }) {
  const { name } = stack
  const forget = useMemo(
    () =>
      act(
        async () => {
          await forgetStack(name)
          await resource('/stacks').reload()
          return true
        },
        { ended: () => t.stack.forgotten(name), failed: t.stack.notForgotten(name) },
      ),
    [name],
  )
  const confirm = async () => {
    if (await forget.run()) go(hasPageAt('/stacks') ? '/stacks' : '/')
    else onClose()
  }
  return (
    <Confirm
      title={t.stack.forgetAsk(name)}
      action={t.stack.forget(name)}
      lost={t.stack.forgetLost}
      stays={
        <>
          {t.stack.forgetStays} {t.stack.forgetAgain}
        </>
      }
      busy={forget.pending.value && t.stack.forgetting(name)}
      onClose={onClose}
      onConfirm={() => void confirm()}
    />
  )
}
