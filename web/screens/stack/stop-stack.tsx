import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { type StackDetails, stopStack } from '../../data/stack-operations.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { useContainerCount } from './stack-volumes.ts'

interface AskProps {
  stack: StackDetails
  onClose: () => void
}

/** Asks before the containers of a stack are removed. */
export function StopStack({ stack, onClose }: AskProps) {
  const { name } = stack
  const count = useContainerCount(stack)
  const stop = useMemo(
    () =>
      act(stopStack, {
        ended: (done) => t.stack.stopped(name, durationText(done)),
        failed: t.stack.notStopped(name),
      }),
    [name],
  )
  return (
    <Confirm
      title={t.stack.stopAsk(name)}
      action={t.stack.stop(name)}
      lost={t.stack.stopLost(count)}
      stays={t.stack.stopStays}
      busy={stop.pending.value && t.stack.stopping(name)}
      onClose={onClose}
      onConfirm={() => void stop.run(name).then(onClose)}
    />
  )
}
